// The guests' link that the wall shows, kept as it is now: the owner closes and opens the door, and links are renewed.

import { ApiError } from "../shared/api.js";

export class ShownLink {
  #load;
  #show;
  #shown;
  #loadCount = 0;

  /**
   * @param {object} options
   * @param {string} options.link What the page came with; empty for none.
   * @param {() => Promise<string | null>} options.load Asks the laptop; `null` while its door is closed.
   * @param {(link: string) => void} options.show Draws another link; an empty one takes the code away.
   */
  constructor({ link, load, show }) {
    this.#shown = link;
    this.#load = load;
    this.#show = show;
  }

  /** Asks, and shows what is new. The answer to the latest question counts. */
  async refresh() {
    const number = ++this.#loadCount;
    let link;
    try {
      link = (await this.#load()) ?? "";
    } catch (error) {
      // What is shown stays; the stream's next opening asks again. Firefox tells a page that is left of it, too.
      if (error instanceof ApiError || error.name === "AbortError") return;
      throw error;
    }
    if (number !== this.#loadCount || link === this.#shown) return;
    this.#shown = link;
    this.#show(link);
  }
}
