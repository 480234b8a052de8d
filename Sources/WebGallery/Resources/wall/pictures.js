// Pictures of the wall: loaded as bytes, decoded before they are shown, and let go of afterwards.

import { pause, send } from "../shared/api.js";
import { previewAddress, thumbnailAddress } from "../shared/addresses.js";
import { make } from "../shared/elements.js";

/** Decoded pictures that may be alive at one time. */
export const PICTURE_COUNT_MAX = 12;

/** A photo that cannot be shown by then is left out of its slide. */
const LOAD_DELAY_MAX = 6_000;
/** How often a preview that is being made is asked for once more. */
const IMPROVE_COUNT_MAX = 4;
const IMPROVE_DELAY = 1_500;

/** Makes and counts the pictures of one page. */
export class Pictures {
  #controllers = new Map();
  #improvements = new Map();

  /** Pictures that are alive. */
  get count() {
    return this.#controllers.size;
  }

  /**
   * Loads a photo's preview; its thumbnail for the time until the laptop has made that.
   * @param {{id: string}} photo
   * @returns {Promise<HTMLImageElement | null>} `null` where there is nothing to show, or where too much is alive.
   */
  async load(photo) {
    if (this.count >= PICTURE_COUNT_MAX) return null;
    const image = make("img", { class: "wall-picture", alt: "", dataset: { photo: photo.id } });
    const controller = new AbortController();
    this.#controllers.set(image, controller);
    const timer = setTimeout(() => controller.abort(), LOAD_DELAY_MAX);
    try {
      const isWhole = await this.#fill(image, previewAddress(photo.id), controller.signal);
      if (isWhole) return image;
      if (await this.#fill(image, thumbnailAddress(photo.id), controller.signal)) {
        this.#improve(image, photo);
        return image;
      }
    } catch (error) {
      // Offline, too slow or not decodable: the wall goes on with another photo.
      if (error instanceof TypeError) throw error;
    } finally {
      clearTimeout(timer);
    }
    this.release(image);
    return null;
  }

  /** Lets go of a picture: without an address the browser may forget its pixels. */
  release(image) {
    this.#controllers.get(image)?.abort();
    this.#controllers.delete(image);
    this.#improvements.delete(image.dataset.photo);
    image.removeAttribute("src");
    image.remove();
  }

  /** The laptop has made a preview: a thumbnail that is shown in its place gives way. */
  previewReady(id) {
    this.#improvements.get(id)?.();
  }

  /** Returns whether the picture is there; no, where the laptop does not have it now. */
  async #fill(image, url, signal) {
    const response = await send(url, { signal, cache: "default" });
    if (!response.ok) {
      await response.body?.cancel();
      return false;
    }
    const address = URL.createObjectURL(await response.blob());
    try {
      image.src = address;
      await image.decode();
      return true;
    } finally {
      // The element keeps what it has decoded.
      URL.revokeObjectURL(address);
    }
  }

  /** Puts the preview into the thumbnail's place, as soon as it is there and while the picture is alive. */
  async #improve(image, photo) {
    for (let count = 0; count < IMPROVE_COUNT_MAX; count += 1) {
      await Promise.race([
        pause(IMPROVE_DELAY * 2 ** count),
        new Promise((resolve) => this.#improvements.set(photo.id, resolve)),
      ]);
      const controller = this.#controllers.get(image);
      if (controller === undefined) return;
      try {
        if (await this.#fill(image, previewAddress(photo.id), controller.signal)) return;
      } catch {
        // The thumbnail stays.
        return;
      }
    }
  }
}
