/**
 * Numbers in the words of a friendly person.
 */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/**
 * `1 photo`, `1,234 photos`.
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 * @returns {string}
 */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/**
 * `50,000`.
 * @param {number} number
 * @returns {string}
 */
export function count(number) {
  return whole.format(number);
}

/**
 * `640 KB`, `8 GB`, in powers of 1,024, as phones and laptops show sizes of files.
 * @param {number} number of bytes
 * @returns {string}
 */
export function bytes(number) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let unit = 0;
  let value = number;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return plural(number, "byte");
  return `${(value < 10 ? tenth : whole).format(value)} ${units[unit]}`;
}

/**
 * `Lena`, `Lena and Ben`, `Lena, Ben and Grandma`.
 * @param {string[]} names
 * @returns {string}
 */
export function list(names) {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/**
 * `0:14`, `1:02:03`.
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
  const all = Math.max(0, Math.round(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`;
}

/**
 * `just now`, `5 minutes ago`, `yesterday`; older instants as a day.
 * @param {string|number|Date} instant
 * @param {number} [now] milliseconds since 1970
 * @returns {string} empty where the instant cannot be read
 */
export function since(instant, now = Date.now()) {
  const time = new Date(instant).getTime();
  if (Number.isNaN(time)) return "";
  const minutes = Math.floor((now - time) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${plural(minutes, "minute")} ago`;
  if (minutes < 24 * 60) return `${plural(Math.floor(minutes / 60), "hour")} ago`;
  if (minutes < 48 * 60) return "yesterday";
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" }).format(time);
}
