/**
 * Loads the months that the view is near, nearest first, few at a time. During a fling months pass by that nobody is
 * going to look at; those that have not begun to load are forgotten.
 */

/** A browser has six connections to a laptop; the pictures need most of them. */
const loadsMax = 2;

export class MonthLoader {
  #load;
  #loading = new Set();
  #wanted = [];
  #pauseUntil = 0;

  /** @param {(month: number) => Promise<void>} load loads one month; the promise ends when it is there or failed */
  constructor(load) {
    this.#load = load;
  }

  /**
   * Says which months are needed now. Earlier wishes that have not begun are dropped.
   * @param {number[]} months positions, the most urgent first
   */
  want(months) {
    this.#wanted = months;
    this.#next();
  }

  /** Forgets everything: positions mean other months from now on. Loads that run end by themselves. */
  reset() {
    this.#wanted = [];
    this.#loading = new Set();
  }

  #next() {
    if (performance.now() < this.#pauseUntil) return;
    while (this.#loading.size < loadsMax) {
      const month = this.#wanted.find((candidate) => !this.#loading.has(candidate));
      if (month === undefined) return;
      this.#wanted = this.#wanted.filter((candidate) => candidate !== month);
      this.#run(month, this.#loading);
    }
  }

  async #run(month, loading) {
    loading.add(month);
    try {
      await this.#load(month);
    } catch {
      // The page has said so; the same month is wanted again by the next look at the view, but not in a tight circle.
      this.#pauseUntil = performance.now() + 1000;
      setTimeout(() => this.#next(), 1050);
    }
    loading.delete(month);
    if (loading === this.#loading) this.#next();
  }
}
