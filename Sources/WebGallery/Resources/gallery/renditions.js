/**
 * Which picture of a photo a slide loads next: the largest that is wanted, and the next smaller one where that cannot be
 * had now. What failed is tried again when the laptop has it. Pure.
 */

/** The largest first. @type {("original"|"preview"|"thumbnail")[]} */
const sizes = ["original", "preview", "thumbnail"];

export class Renditions {
  #wanted;
  #shown = sizes.length;
  #failed = new Set();
  #loading = new Set();

  /**
   * @param {"preview"|"thumbnail"} wanted
   */
  constructor(wanted) {
    this.#wanted = sizes.indexOf(wanted);
  }

  /** What is shown; `null` while nothing is. */
  get shown() {
    return sizes[this.#shown] ?? null;
  }

  /**
   * Whether one of this size, or a larger one, is wanted.
   * @param {"original"|"preview"} size
   */
  wants(size) {
    return this.#wanted <= sizes.indexOf(size);
  }

  /** Whether what is wanted is shown. */
  get isWhole() {
    return this.#shown <= this.#wanted;
  }

  /**
   * Asks for a larger one from now on. One that failed before is tried again: a person asks for it.
   * @param {"original"|"preview"} size
   */
  want(size) {
    this.#wanted = Math.min(this.#wanted, sizes.indexOf(size));
    this.#failed.delete(size);
  }

  /**
   * What to load now; it counts as being loaded from then on.
   * @returns {"original"|"preview"|"thumbnail"|null}
   */
  take() {
    const next = sizes.slice(this.#wanted, this.#shown).find((size) => !this.#failed.has(size)) ?? null;
    if (next === null || this.#loading.has(next)) return null;
    this.#loading.add(next);
    return next;
  }

  /**
   * One is loaded.
   * @param {"original"|"preview"|"thumbnail"} size
   * @returns {boolean} whether it is to be shown: a larger one may have been faster
   */
  loaded(size) {
    this.#loading.delete(size);
    const place = sizes.indexOf(size);
    if (place >= this.#shown) return false;
    this.#shown = place;
    return true;
  }

  /**
   * One could not be loaded.
   * @param {"original"|"preview"|"thumbnail"} size
   */
  failed(size) {
    this.#loading.delete(size);
    this.#failed.add(size);
  }

  /** The laptop has something of this photo that it did not have before. */
  retry() {
    this.#failed.clear();
  }
}
