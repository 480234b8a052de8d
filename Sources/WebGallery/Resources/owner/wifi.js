// The text of a Wi-Fi's QR code, as phones read it.

/**
 * @param {string} name The network's name.
 * @param {string} password Empty for an open network.
 */
export function wifiText(name, password) {
  const kind = password === "" ? "nopass" : "WPA";
  const secret = password === "" ? "" : `P:${escaped(password)};`;
  return `WIFI:T:${kind};S:${escaped(name)};${secret};`;
}

function escaped(text) {
  return text.replace(/[\\;,":]/g, (character) => `\\${character}`);
}
