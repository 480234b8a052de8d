/**
 * The photos of an album as the grid knows them: the header's months, and the photos of the months that are loaded.
 * Every photo has an ordinal, 0 for the newest. Pure.
 */

import { base64urlFromHex, hexFromBase64url } from "../shared/ids.js";

/** What the flags of a photo mean. */
export const flag = { video: 1, moving: 2, mine: 4, favourite: 8, raw: 16, elsewhere: 32, comments: 64 };

/** One photo, as compact as the laptop sends it. */
export class Photo {
  #row;

  /** @param {[string, string, number, number, number, number?]} row of a month's listing */
  constructor(row) {
    this.#row = row;
  }

  /** SHA-256 in base64url: short, and the same as long as the photo is the same. */
  get key() {
    return this.#row[0];
  }

  /** SHA-256 in hex. */
  get id() {
    return hexFromBase64url(this.#row[0]);
  }

  /** The first characters of the small picture's ID; empty where there is none yet. */
  get thumbnail() {
    return this.#row[1];
  }

  /** Width by height, as shown. Extreme ones are shown cropped, so that a person can still hit them. */
  get aspect() {
    const aspect = this.#row[2] / 1000;
    return aspect > 0 ? Math.min(Math.max(aspect, 0.4), 5) : 1;
  }

  /** Day of the month, 0 where it is not known. */
  get day() {
    return this.#row[3];
  }

  /** Seconds of a video, 0 where there are none. */
  get seconds() {
    return this.#row[5] ?? 0;
  }

  /**
   * @param {number} bits of {@link flag}
   * @returns {boolean} whether any of them is set
   */
  has(bits) {
    return (this.#row[4] & bits) !== 0;
  }

  /**
   * Whether another listing of this photo shows it in the same way.
   * @param {Photo} other
   * @returns {boolean}
   */
  sameMarks(other) {
    return this.#row[4] === other.#row[4] && this.seconds === other.seconds;
  }

  /**
   * The same photo with some flags changed: what this person just did shows at once.
   * @param {number} bits
   * @param {boolean} isSet
   * @returns {Photo}
   */
  with(bits, isSet) {
    const row = [...this.#row];
    row[4] = isSet ? row[4] | bits : row[4] & ~bits;
    return new Photo(row);
  }
}

/** The photos of one album, or of one search in it. */
export class Photos {
  /** @param {{count: number, months: {month: string, version: string, days: [number, number, number][]}[]}} header */
  constructor(header) {
    let first = 0;
    /** Newest first: `{month, version, days, first, count, photos}`; `photos` is `null` until they are loaded. */
    this.months = header.months.map((month) => {
      const count = month.days.reduce((sum, day) => sum + day[1], 0);
      const entry = { ...month, first, count, photos: null };
      first += count;
      return entry;
    });
    /** How many photos there are. */
    this.count = first;
  }

  /**
   * Takes the photos of one month.
   * @param {{month: string, version: string, photos: Array[]}} listing
   * @returns {boolean} `false` where the header is older or newer than the listing: load the header again
   */
  add(listing) {
    const entry = this.months.find((month) => month.month === listing.month);
    if (!entry || entry.version !== listing.version || entry.count !== listing.photos.length) return false;
    entry.photos = listing.photos.map((row) => new Photo(row));
    return true;
  }

  /**
   * Takes over the months that are the same in an older album.
   * @param {Photos} older
   * @returns {number[]} the months that were loaded there and have changed since, as positions in `months`
   */
  inherit(older) {
    const known = new Map(older.months.map((month) => [month.month, month]));
    const changed = [];
    this.months.forEach((month, index) => {
      const before = known.get(month.month);
      if (!before?.photos) return;
      if (before.version === month.version && before.count === month.count) month.photos = before.photos;
      else changed.push(index);
    });
    return changed;
  }

  /**
   * The month that holds a photo.
   * @param {number} ordinal
   * @returns {number} position in `months`, -1 where there is no such photo
   */
  monthOf(ordinal) {
    if (!(ordinal >= 0 && ordinal < this.count)) return -1;
    let low = 0;
    let high = this.months.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.months[middle].first <= ordinal) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * A photo, where its month is loaded.
   * @param {number} ordinal
   * @returns {Photo|null}
   */
  at(ordinal) {
    const month = this.months[this.monthOf(ordinal)];
    return month?.photos?.[ordinal - month.first] ?? null;
  }

  /**
   * Where a photo stands, among those that are loaded.
   * @param {string} id SHA-256 in hex
   * @returns {number} -1 where it is not among them
   */
  find(id) {
    const key = base64urlFromHex(id);
    for (const month of this.months) {
      const place = month.photos?.findIndex((photo) => photo.key === key) ?? -1;
      if (place >= 0) return month.first + place;
    }
    return -1;
  }

  /**
   * Replaces one photo by a changed one.
   * @param {number} ordinal
   * @param {Photo} photo
   */
  replace(ordinal, photo) {
    const month = this.months[this.monthOf(ordinal)];
    if (month?.photos) month.photos[ordinal - month.first] = photo;
  }
}
