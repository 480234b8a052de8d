/**
 * New photos: those at the top slide in, the others are counted by a quiet pill.
 */

import { make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { count, plural } from "../shared/words.js";

/**
 * The photos of the loaded months that were not there before. Pure.
 * @param {import("./photos.js").Photos} before
 * @param {import("./photos.js").Photos} after
 * @returns {{count: number, first: number}} how many, and the ordinal of the newest one; -1 where none is known
 */
export function compare(before, after) {
  const known = new Map(before.months.map((month) => [month.month, month]));
  let first = -1;
  for (const month of after.months) {
    const old = known.get(month.month);
    if (!month.photos || (old && !old.photos) || old?.photos === month.photos) continue;
    const keys = new Set(old?.photos.map((photo) => photo.key));
    const place = month.photos.findIndex((photo) => !keys.has(photo.key));
    if (place >= 0) {
      first = month.first + place;
      break;
    }
  }
  return { count: Math.max(0, after.count - before.count), first };
}

export class Newcomers {
  #grid;
  #pill;
  #words;
  #count = 0;
  #first = null;

  /** @param {import("./grid.js").Grid} grid */
  constructor(grid) {
    this.#grid = grid;
    this.#words = make("span");
    this.#pill = make(
      "button", { type: "button", class: "pill newcomers", hidden: true, onclick: () => this.#show() },
      icon("up"), this.#words,
    );
    document.body.append(this.#pill);
    addEventListener("scroll", () => this.#grid.isAtTop && this.clear(), { passive: true });
  }

  /**
   * Counts new photos that are not on the screen.
   * @param {{count: number, first: number}} found
   */
  add({ count: number, first }) {
    if (number === 0) return;
    this.#count += number;
    this.#first = first >= 0 ? this.#grid.photos.at(first)?.id ?? null : this.#first;
    this.#words.textContent = `${count(this.#count)} new`;
    this.#pill.setAttribute("aria-label", `Show ${plural(this.#count, "new photo")}`);
    this.#pill.hidden = false;
  }

  /** Forgets them: they are on the screen. */
  clear() {
    this.#count = 0;
    this.#first = null;
    this.#pill.hidden = true;
  }

  #show() {
    const ordinal = this.#first ? this.#grid.photos.find(this.#first) : 0;
    this.clear();
    if (ordinal > 0) this.#grid.focus(ordinal);
    else this.#grid.goToTop();
  }
}
