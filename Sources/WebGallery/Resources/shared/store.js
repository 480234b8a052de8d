/**
 * Small things that this browser remembers. All of it may be gone at any time: private windows refuse it, phones
 * clear it.
 */

const prefix = "potluck.";

/**
 * Reads a value.
 * @template Value
 * @param {string} key
 * @param {Value} standard what to answer where nothing readable is stored
 * @returns {Value}
 */
export function recall(key, standard) {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? standard : JSON.parse(text);
  } catch {
    return standard;
  }
}

/**
 * Keeps a value.
 * @param {string} key
 * @param {unknown} value anything that JSON can hold
 * @returns {boolean} whether it is kept
 */
export function remember(key, value) {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * A random name of this browser, by which the laptop knows what it took home already.
 * @returns {string} 32 hex digits
 */
export function browserID() {
  const known = recall("browser", "");
  if (/^[0-9a-f]{32}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  remember("browser", made);
  return made;
}
