// One slide: one to three pictures with their words.

import { ApiError, address, request } from "../shared/api.js";
import { videoAddress } from "../shared/addresses.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { favouriteWords, tagWords } from "./words.js";

/** Of a long talk the newest stay. */
const COMMENT_COUNT_MAX = 3;
/** A longer video goes on in the gallery. */
const VIDEO_DURATION_MAX = 30_000;

/** What is on the wall at one time. */
export class Slide {
  #figures;
  #shownAt = performance.now();
  #video = null;

  /**
   * Loads what the schedule planned; pictures that cannot be shown are left out.
   * @param {import("./schedule.js").Slide} planned
   * @param {import("./pictures.js").Pictures} pictures
   * @returns {Promise<Slide | null>} `null` where none can be shown.
   */
  static async load({ photos, isNew }, pictures) {
    const loaded = await Promise.all(photos.map(async (photo) => {
      const [image, entry] = await Promise.all([pictures.load(photo), entryOf(photo)]);
      return { photo, image, entry };
    }));
    const shown = loaded.filter(({ image }) => image !== null);
    return shown.length > 0 ? new Slide(shown, isNew) : null;
  }

  constructor(shown, isNew) {
    this.isNew = isNew;
    this.#figures = shown.map(({ photo, image, entry }) => new Figure(photo, image, entry, isNew));
    this.element = make("div", { class: "wall-slide" }, this.#figures.map((figure) => figure.element));
  }

  /** Whether it came up a moment ago. */
  get isFresh() {
    return performance.now() - this.#shownAt < 1_000;
  }

  holds(id) {
    return this.#figures.some((figure) => figure.photo.id === id);
  }

  /** Words of one of its photos changed. */
  async refreshWords(id) {
    const figure = this.#figures.find((other) => other.photo.id === id);
    if (figure !== undefined) figure.showWords(await entryOf(figure.photo));
  }

  /** It is in the page now: a video begins. @param {{onDuration: (milliseconds: number) => void}} handlers */
  start({ onDuration }) {
    this.#shownAt = performance.now();
    const [figure] = this.#figures;
    if (this.#figures.length === 1 && figure.photo.videoType !== null) this.#video = figure.play(onDuration);
  }

  /** Lets go of all that it holds. */
  release(pictures) {
    if (this.#video !== null) {
      this.#video.pause();
      this.#video.removeAttribute("src");
      this.#video.load();
    }
    for (const figure of this.#figures) pictures.release(figure.image);
    this.element.remove();
  }
}

class Figure {
  #words = make("figcaption", { class: "wall-words" });

  constructor(photo, image, entry, isNew) {
    this.photo = photo;
    this.image = image;
    this.isNew = isNew;
    this.element = make("figure", { class: "wall-figure" }, image, this.#words);
    // The listing may not know the shape yet; the picture does.
    this.element.style.flexGrow = String(image.naturalWidth / Math.max(1, image.naturalHeight));
    this.showWords(entry);
  }

  showWords(entry) {
    const by = entry?.by ?? this.photo.by;
    const caption = entry?.caption ?? "";
    const comments = (entry?.comments ?? []).slice(-COMMENT_COUNT_MAX);
    const favourites = favouriteWords(entry?.favourites ?? []);
    const tags = tagWords(entry?.tags ?? []);
    this.image.alt = caption !== "" ? caption : by !== "" ? `Photo by ${by}` : "Photo";
    fill(
      this.#words,
      this.isNew && make("span", { class: "wall-new" }, "New"),
      caption !== "" && make("p", { class: "wall-caption" }, caption),
      by !== "" && make("p", { class: "wall-by" }, by),
      favourites !== "" && make(
        "p", { class: "wall-favourites" }, icon("heart", "icon-filled"), make("span", { class: "unseen" }, "Favourite of "), favourites),
      tags.length > 0 && make("p", { class: "wall-tags" }, tags.map((tag) => make("span", {}, tag))),
      comments.map((comment) =>
        make("p", { class: "wall-bubble" }, make("strong", {}, comment.by), comment.text)),
    );
  }

  /** Plays over the poster, without sound; where it cannot, the poster stays. */
  play(onDuration) {
    const probe = document.createElement("video");
    const isPlayable = probe.canPlayType(this.photo.videoType) !== "";
    const video = make("video", {
      class: "wall-picture", muted: true, autoplay: true, playsinline: true, dataset: { photo: this.photo.id },
      src: videoAddress(this.photo.id, !isPlayable),
    });
    // The attribute alone does not mute an element that was made by a script.
    video.muted = true;
    video.addEventListener("loadedmetadata", () => {
      if (Number.isFinite(video.duration)) onDuration(Math.min(Math.max(8_000, 1000 * video.duration), VIDEO_DURATION_MAX));
    });
    video.addEventListener("error", () => video.remove());
    this.image.after(video);
    return video;
  }
}

async function entryOf(photo) {
  try {
    return await request(address(["albums", photo.album, "photos", photo.id]));
  } catch (error) {
    // A picture without words is a picture all the same.
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
