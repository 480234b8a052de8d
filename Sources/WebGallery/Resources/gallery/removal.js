/**
 * Removing a choice of photos, and bringing them back: what the laptop answers, in words and as the orders that undo it.
 * Pure.
 */

import { plural } from "../shared/words.js";

/**
 * Photos by the album that each is to leave.
 * @param {{id: string, album: string}[]} photos
 * @returns {{action: "remove", album: string, photos: string[]}[]} bodies of `POST /remove`
 */
export function removalOrders(photos) {
  return ordersOf(photos.map(({ id, album }) => ({ action: "remove", album, id })));
}

/**
 * What brings back all that was removed or hidden.
 * @param {{album_id: string, photos: {id: string, outcome: string}[]}[]} reports of `POST /remove`
 * @returns {{action: string, album: string, photos: string[]}[]} bodies of `POST /remove`
 */
export function undoOrders(reports) {
  const actions = new Map([["removed", "restore"], ["hidden", "unhide"]]);
  const steps = reports.flatMap(({ album_id: album, photos }) => photos.map(({ id, outcome }) => (
    { action: actions.get(outcome), album, id })));
  return ordersOf(steps.filter(({ action }) => action !== undefined));
}

/**
 * `3 photos are removed, 1 photo is hidden on this laptop.`
 * @param {{photos: {outcome: string}[]}[]} reports
 * @returns {string}
 */
export function removalWords(reports) {
  const outcomes = reports.flatMap(({ photos }) => photos.map(({ outcome }) => outcome));
  const part = (outcome, words) => {
    const number = outcomes.filter((other) => other === outcome).length;
    return number > 0 && `${plural(number, "photo")} ${number === 1 ? "is" : "are"} ${words}`;
  };
  const parts = [part("removed", "removed"), part("hidden", "hidden on this laptop")].filter(Boolean);
  return parts.length > 0 ? `${parts.join(", ")}.` : "Nothing was removed.";
}

function ordersOf(steps) {
  const orders = new Map();
  for (const { action, album, id } of steps) {
    const key = `${action} ${album}`;
    if (!orders.has(key)) orders.set(key, { action, album, photos: [] });
    orders.get(key).photos.push(id);
  }
  return [...orders.values()];
}
