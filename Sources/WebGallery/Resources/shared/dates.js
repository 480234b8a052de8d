/**
 * Days of photos. A photo's day is the day on the camera's own clock, so nothing here knows time zones: days are
 * counted in UTC, and only "today" is the person's.
 */

const forms = {
  full: new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }),
  fullThisYear: new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }),
  middle: new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
  middleThisYear: new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }),
  short: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
  shortThisYear: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }),
};

const sources = new Map([
  ["exif", "the camera"], ["quicktime", "the camera"], ["xmp", "a file beside it"], ["name", "the file's name"],
  ["mtime", "when the file was last changed"],
]);

/** The month of photos of which nobody knows the day. */
export const undated = "undated";

/**
 * The names of a day, the longest first, for as much room as there is.
 * @param {string} month `2026-08` or `undated`
 * @param {number} day 1 to 31
 * @param {Date} [now] the person's clock
 * @returns {string[]}
 */
export function dayNames(month, day, now = new Date()) {
  const date = dateOf(month, day);
  if (!date) return ["Without a date", "No date"];
  const isThisYear = date.getUTCFullYear() === now.getFullYear();
  const nearby = nearName(date, now);
  const names = isThisYear
    ? [forms.fullThisYear, forms.middleThisYear, forms.shortThisYear]
    : [forms.full, forms.middle, forms.short, forms.shortThisYear];
  return [...(nearby ? [nearby] : []), ...names.map((form) => tidy(form.format(date)))];
}

/**
 * `August 2026`.
 * @param {string} month
 * @returns {string}
 */
export function monthName(month) {
  const date = dateOf(month, 1);
  return date ? forms.month.format(date) : "Without a date";
}

/**
 * `2026-08-14`, for `time` elements.
 * @param {string} month
 * @param {number} day
 * @returns {string} empty where there is no day
 */
export function dayText(month, day) {
  return dateOf(month, day) ? `${month}-${String(day).padStart(2, "0")}` : "";
}

/**
 * The year of a month.
 * @param {string} month
 * @returns {string} empty for photos without a date
 */
export function yearOf(month) {
  return /^\d{4}-\d{2}$/.test(month) ? month.slice(0, 4) : "";
}

/**
 * When a photo was taken, on the camera's own clock: `Friday, 14 August 2026, 18:40`.
 * @param {string|null|undefined} taken RFC 3339, or local without an offset
 * @param {boolean} [isShort] `Fri, 14 Aug 2026, 18:40`, this year's without the year
 * @param {Date} [now]
 * @returns {string} empty where it is not known
 */
export function takenName(taken, isShort = false, now = new Date()) {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})/.exec(taken ?? "");
  if (!parts) return "";
  const date = dateOf(`${parts[1]}-${parts[2]}`, Number(parts[3]));
  if (!date) return "";
  const shortForm = date.getUTCFullYear() === now.getFullYear() ? forms.middleThisYear : forms.middle;
  return `${tidy((isShort ? shortForm : forms.full).format(date))}, ${parts[4]}`;
}

/**
 * Where the time of a photo was read, in words.
 * @param {string|null|undefined} source as the API names it
 * @returns {string} empty where there is none
 */
export function takenFromName(source) {
  return sources.get(source) ?? "";
}

function dateOf(month, day) {
  const parts = /^(\d{4})-(\d{2})$/.exec(month);
  if (!parts || !(day >= 1 && day <= 31)) return null;
  return new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, day));
}

function nearName(date, now) {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  const days = Math.round((today - date.getTime()) / 86400000);
  if (days === 0) return "Today";
  return days === 1 ? "Yesterday" : "";
}

/** Some versions of the language's data have a comma after the day's name, some none. */
function tidy(text) {
  return text.replace(/^(\p{L}+),? /u, "$1, ");
}
