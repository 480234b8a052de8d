/**
 * Loads what an album's grid needs from the laptop: the header of months, months, and both again when they changed.
 */

import { address, patiently, pause, request } from "../shared/api.js";
import { Photos } from "./photos.js";

const REST_MS_MIN = 100;
const REST_MS_MAX = 3000;

export class AlbumSource extends EventTarget {
  #album;
  #query = "";
  #photos = null;
  #round = 0;
  #isRefreshing = false;
  #isStale = false;

  /** @param {string} album its ID, or `all` */
  constructor(album) {
    super();
    this.#album = album;
  }

  /** The photos as they are known; `null` before the first answer. */
  get photos() {
    return this.#photos;
  }

  /** The query of the search, without `?`. */
  get query() {
    return this.#query;
  }

  /**
   * Loads the header of an album or of a search in it.
   * @param {string} query
   * @returns {Promise<Photos|null>} `null` where another search began meanwhile
   */
  async open(query) {
    this.#query = query;
    this.#round += 1;
    const round = this.#round;
    const photos = new Photos(await patiently(() => this.#header()));
    if (round !== this.#round) return null;
    this.#photos = photos;
    return photos;
  }

  /**
   * Loads one month into the photos, and tells `loaded`.
   * @param {number} index position in `photos.months`
   */
  async loadMonth(index) {
    const photos = this.#photos;
    const month = photos?.months[index];
    if (!month || month.photos) return;
    const listing = await patiently(() => this.#month(month.month), { tries: 3 });
    if (photos !== this.#photos) {
      // The header is newer than the one that was asked with; the month may still be the same.
      if (this.#photos.add(listing)) this.#tell("loaded");
    } else if (photos.add(listing)) {
      this.#tell("loaded");
    } else {
      this.changed();
      throw new Error("The month is not the one of the header");
    }
  }

  /**
   * Something in the album changed: everything is compared at once. After that the page rests for three times as long as
   * it took, so that a thousand photos that arrive together do not have a thousand comparisons.
   */
  changed() {
    this.#isStale = true;
    if (this.#photos && !this.#isRefreshing) this.#refresh();
  }

  async #refresh() {
    this.#isRefreshing = true;
    while (this.#isStale) {
      this.#isStale = false;
      const start = performance.now();
      try {
        await this.#compare();
      } catch {
        // The stream of events says it when the laptop is back, and then everything is compared again.
      }
      const rest = 3 * (performance.now() - start);
      await pause(Math.min(Math.max(rest, REST_MS_MIN), REST_MS_MAX));
    }
    this.#isRefreshing = false;
  }

  /** Loads what changed before anything is shown: the grid goes from one whole state to the next. */
  async #compare() {
    const round = this.#round;
    const before = this.#photos;
    const after = new Photos(await this.#header());
    if (round !== this.#round || isSame(before, after)) return;
    const changed = after.inherit(before);
    for (const index of changed) {
      const listing = await this.#month(after.months[index].month);
      if (!after.add(listing)) {
        this.#isStale = true;
        return;
      }
    }
    // The newest photos are what people wait for.
    if (after.months.length > 0 && !after.months[0].photos) after.add(await this.#month(after.months[0].month));
    if (round !== this.#round) return;
    this.#photos = after;
    this.dispatchEvent(new CustomEvent("changed", { detail: { before, after } }));
  }

  #header() {
    return request(address(["albums", this.#album, "months"], new URLSearchParams(this.#query)));
  }

  #month(month) {
    return request(address(["albums", this.#album, "months", month], new URLSearchParams(this.#query)));
  }

  #tell(kind) {
    this.dispatchEvent(new Event(kind));
  }
}

function isSame(one, other) {
  return one.months.length === other.months.length
    && one.months.every((month, index) => {
      const its = other.months[index];
      return month.month === its.month && month.version === its.version && month.count === its.count;
    });
}
