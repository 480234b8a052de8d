// What stands behind the # of a link to this door. Fragments never travel in requests, so secrets are in them.

const TOKEN = /^[A-Za-z0-9_.~-]{8,400}$/;
const NAME_COUNT_MAX = 40;
const NAME_LENGTH_MAX = 80;

/**
 * Reads the fragment of `/g/`.
 * @param {string} hash With or without its #.
 * @returns {{kind: "none"} | {kind: "link", token: string} | {kind: "personal", token: string}
 *   | {kind: "ticket", ticket: string, place: string, unfinished: string[]}} `link` asks for a name, `personal` does not.
 */
export function readFragment(hash) {
  const text = hash.replace(/^#/, "");
  if (TOKEN.test(text)) return { kind: "link", token: text };
  const values = new URLSearchParams(text);
  const personal = values.get("me") ?? "";
  if (TOKEN.test(personal)) return { kind: "personal", token: personal };
  const ticket = values.get("ticket") ?? "";
  if (ticket !== "" && ticket.length <= 4000) {
    return { kind: "ticket", ticket, place: safePlace(values.get("place")), unfinished: values.getAll("unfinished") };
  }
  return { kind: "none" };
}

/**
 * Reads what a person typed or pasted: a token, or the whole link.
 * @param {string} text
 * @returns {{kind: "none"} | {kind: "link" | "personal", token: string}}
 */
export function readTyped(text) {
  const trimmed = text.trim();
  const found = readFragment(trimmed.includes("#") ? trimmed.slice(trimmed.indexOf("#")) : trimmed);
  return found.kind === "ticket" ? { kind: "none" } : found;
}

/**
 * The link by which a page goes on at another laptop.
 * @param {string} origin
 * @param {{ticket: string, place: string, unfinished: string[]}} luggage
 */
export function movingLink(origin, { ticket, place, unfinished }) {
  const values = new URLSearchParams({ ticket, place: safePlace(place) });
  for (const name of unfinished.slice(0, NAME_COUNT_MAX)) values.append("unfinished", name.slice(0, NAME_LENGTH_MAX));
  return `${origin}/g/#${values}`;
}

/**
 * A path within this laptop's pages; the start page for anything that could lead elsewhere.
 * @param {string | null} place
 */
export function safePlace(place) {
  if (typeof place !== "string" || place.length > 300) return "/";
  const isWithin = /^\/(album|wall)(\/[A-Za-z0-9_%-]+)*(\?[A-Za-z0-9_.~%+=&-]*)?$/.test(place);
  return isWithin ? place : "/";
}
