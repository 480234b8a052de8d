/**
 * Identifiers: SHA-256 of photos, in hex where addresses are, in base64url where there are many.
 */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const values = new Map([...alphabet].map((letter, value) => [letter, value]));

/**
 * Turns base64url without padding into hex digits.
 * @param {string} text
 * @returns {string} lowercase hex
 * @throws {TypeError} where the text is not base64url
 */
export function hexFromBase64url(text) {
  let hex = "";
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) throw new TypeError(`Not base64url: ${text}`);
    held = (held << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      hex += ((held >> bits) & 0xff).toString(16).padStart(2, "0");
      held &= (1 << bits) - 1;
    }
  }
  if (bits >= 6 || held !== 0) throw new TypeError(`Not base64url: ${text}`);
  return hex;
}

/**
 * Turns hex digits into base64url without padding.
 * @param {string} hex an even number of digits
 * @returns {string}
 * @throws {TypeError} where the text is not hex
 */
export function base64urlFromHex(hex) {
  if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) throw new TypeError(`Not hex digits: ${hex}`);
  let text = "";
  let bits = 0;
  let held = 0;
  for (let index = 0; index < hex.length; index += 2) {
    held = (held << 8) | parseInt(hex.slice(index, index + 2), 16);
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += alphabet[(held >> bits) & 0x3f];
    }
    held &= (1 << bits) - 1;
  }
  if (bits > 0) text += alphabet[(held << (6 - bits)) & 0x3f];
  return text;
}

/**
 * Whether a text is a photo's ID in hex.
 * @param {string} text
 * @returns {boolean}
 */
export function isPhotoID(text) {
  return /^[0-9a-f]{64}$/.test(text);
}
