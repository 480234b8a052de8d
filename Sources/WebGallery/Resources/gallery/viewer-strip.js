/**
 * The strip of small pictures below the viewer's stage.
 */

import { thumbnailAddress } from "../shared/addresses.js";
import { make } from "../shared/elements.js";

/** To each side: more do not fit on any screen together with the rest of the page's 600 elements. */
const reachMax = 12;
const step = 46;

export class Strip {
  #nodes = new Map();
  #onPick;

  /** @param {(ordinal: number) => void} onPick */
  constructor(onPick) {
    this.#onPick = onPick;
    this.track = make("div", { class: "strip-track" });
    // Arrow keys do the same for people on the keyboard; forty more stops would be in their way.
    this.element = make("div", { class: "strip", "aria-hidden": "true" }, this.track);
    this.element.addEventListener("click", (event) => {
      const item = event.target.closest("[data-ordinal]");
      if (item) this.#onPick(Number(item.dataset.ordinal));
    });
  }

  /**
   * Shows the surroundings of a photo.
   * @param {import("./photos.js").Photos} photos
   * @param {number} ordinal
   */
  show(photos, ordinal) {
    const reach = Math.min(reachMax, Math.ceil(this.element.clientWidth / step / 2));
    const wanted = new Map();
    for (let other = Math.max(0, ordinal - reach); other <= Math.min(photos.count - 1, ordinal + reach); other += 1) {
      const photo = photos.at(other);
      if (photo) wanted.set(photo.key, { photo, ordinal: other });
    }
    for (const [key, node] of this.#nodes) {
      if (wanted.has(key)) continue;
      node.remove();
      this.#nodes.delete(key);
    }
    for (const [key, { photo, ordinal: other }] of wanted) {
      const node = this.#nodes.get(key) ?? this.#make(key, photo);
      node.dataset.ordinal = String(other);
      node.style.transform = `translateX(${(other - ordinal) * step}px)`;
      node.classList.toggle("strip-current", other === ordinal);
    }
  }

  /** Lets go of all pictures. */
  clear() {
    this.#nodes.clear();
    this.track.replaceChildren();
  }

  #make(key, photo) {
    const id = photo.id;
    const source = photo.thumbnail ? thumbnailAddress(id, photo.thumbnail) : null;
    const node = make("div", { class: "strip-item" }, make("img", { src: source, alt: "", draggable: "false", "data-photo": id }));
    this.#nodes.set(key, node);
    this.track.append(node);
    return node;
  }
}
