/**
 * Small pictures that were not there when the grid asked for them: they are asked for again when the laptop has them,
 * and after a while in any case, since an event may be missed.
 */

const waitMin = 2000;
const waitMax = 60000;
/** How many photos are remembered of which the laptop said that their small picture is there. */
const toldMax = 200;

/**
 * How long to wait before a picture is asked for once more.
 * @param {number} tries that were in vain, at least 1
 * @returns {number} milliseconds
 */
export function retryPause(tries) {
  return Math.min(waitMax, waitMin * 2 ** (tries - 1));
}

export class LateThumbnails {
  /** By image: `{photo, tries, timer}`; `timer` is `null` where only an event helps. */
  #waiting = new Map();
  /** Photos whose small picture the laptop told of lately: it may do so before a page hears that its own question failed,
      and before a tile is made that was listed without one. */
  #told = new Set();
  #reload;
  #start;
  #stop;

  /**
   * @param {(image: any, photo: string) => boolean} reload asks for a picture again; `false` where nobody sees it any more
   * @param {{start: (work: () => void, milliseconds: number) => any, stop: (timer: any) => void}} [timers]
   */
  constructor(reload, timers = { start: (work, pause) => setTimeout(work, pause), stop: (timer) => clearTimeout(timer) }) {
    this.#reload = reload;
    this.#start = timers.start;
    this.#stop = timers.stop;
  }

  /** How many pictures are waited for. */
  get count() {
    return this.#waiting.size;
  }

  /** There is nothing to ask for yet: the laptop says when there is. */
  expect(image, photo) {
    // A moment later: its tile is not in the page yet.
    const timer = this.#told.has(photo) ? this.#start(() => this.#ask(image), 0) : null;
    this.#waiting.set(image, { photo, tries: 0, timer });
  }

  /** A picture did not come. */
  failed(image, photo) {
    const tries = (this.#waiting.get(image)?.tries ?? 0) + 1;
    this.#stop(this.#waiting.get(image)?.timer);
    this.#waiting.set(image, { photo, tries, timer: this.#start(() => this.#ask(image), retryPause(tries)) });
    // Once: what fails again waits.
    if (this.#told.delete(photo)) this.#ask(image);
  }

  /** A picture is there, or its tile has gone. */
  forget(image) {
    this.#stop(this.#waiting.get(image)?.timer);
    this.#waiting.delete(image);
  }

  /**
   * The laptop says that something of a photo is there. What never had an address is asked for only where that is
   * certain to be the small picture.
   * @param {string} photo
   * @param {boolean} isCertain
   */
  ready(photo, isCertain) {
    if (isCertain) this.#remember(photo);
    for (const [image, entry] of [...this.#waiting]) {
      if (entry.photo === photo && (isCertain || entry.timer !== null)) this.#ask(image);
    }
  }

  /** The laptop is back after a silence, in which events may have been missed. */
  askAll() {
    for (const [image, entry] of [...this.#waiting]) if (entry.timer !== null) this.#ask(image);
  }

  #remember(photo) {
    this.#told.delete(photo);
    this.#told.add(photo);
    if (this.#told.size > toldMax) this.#told.delete(this.#told.values().next().value);
  }

  #ask(image) {
    const entry = this.#waiting.get(image);
    this.#stop(entry.timer);
    if (!this.#reload(image, entry.photo)) this.#waiting.delete(image);
  }
}
