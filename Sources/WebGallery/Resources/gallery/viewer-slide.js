/**
 * One photo or video on the viewer's stage: the thumbnail at once, the preview over it, the original when somebody
 * looks closer.
 */

import { originalAddress, previewAddress, thumbnailAddress, videoAddress } from "../shared/addresses.js";
import { fill, make } from "../shared/elements.js";
import { live } from "../shared/live.js";
import { loadPicture, unreadableError, untilReady } from "./picture-loader.js";
import { flag } from "./photos.js";
import { Renditions } from "./renditions.js";
import { describe } from "./tiles.js";
import { clamped, fitted } from "./zoom.js";

/** Pictures of more pixels are too much for phones as one bitmap. */
const pixelsMax = 60e6;
const previewPixels = 2048;
/** A video's own controls must not lie below the viewer's: `.slide-video` in viewer.css leaves this free. */
const videoAir = 192;

/** After these more of a photo may be there than before. */
const readyEvents = ["thumbnail.ready", "preview.ready", "video.ready", "photo.here"];

export class Slide {
  ordinal;
  element;
  frame;
  zoom = { scale: 1, x: 0, y: 0 };
  #photo;
  #thumbnail;
  #picture = null;
  #renditions = new Renditions("preview");
  #words;
  #video = null;
  #controller = new AbortController();
  #aspect;
  #stage = { width: 1, height: 1 };
  #isLoaded = false;
  #details = null;
  /** Begins a video again that could not be shown; `null` while nothing is wrong with it. */
  #retryVideo = null;

  /**
   * @param {import("./photos.js").Photo} photo
   * @param {number} ordinal
   * @param {string} month
   */
  constructor(photo, ordinal, month) {
    this.#photo = photo;
    this.ordinal = ordinal;
    this.id = photo.id;
    this.isVideo = photo.has(flag.video);
    this.words = describe(photo, month);
    this.#aspect = photo.aspect;
    this.#thumbnail = make("img", {
      class: "slide-thumbnail", alt: "", draggable: "false",
      src: photo.thumbnail ? thumbnailAddress(this.id, photo.thumbnail) : null,
    });
    this.#thumbnail.addEventListener("load", () => this.#renditions.loaded("thumbnail"));
    this.#words = make("p", { class: "slide-words", role: "status", hidden: true });
    this.frame = make("div", { class: "slide-frame" }, this.#thumbnail);
    this.element = make("div", { class: this.isVideo ? "slide slide-video" : "slide" }, this.frame, this.#words);
    this.#listen();
  }

  /** What is shown. @type {import("./photos.js").Photo} */
  get photo() {
    return this.#photo;
  }

  set photo(photo) {
    this.#photo = photo;
    const isNew = photo.thumbnail && !this.#thumbnail.hasAttribute("src");
    if (isNew) this.#thumbnail.src = thumbnailAddress(this.id, photo.thumbnail);
  }

  /** The size of the picture at scale 1. */
  get size() {
    return fitted(this.#aspect, this.#box);
  }

  /** Width of the original in pixels, as far as it is known. */
  get pixels() {
    return this.#details?.width ?? previewPixels;
  }

  get #box() {
    const air = this.isVideo ? videoAir : 0;
    return { width: this.#stage.width, height: Math.max(120, this.#stage.height - air) };
  }

  /** @param {{width: number, height: number}} stage */
  layOut(stage) {
    this.#stage = stage;
    const { width, height } = this.size;
    this.frame.style.width = `${width}px`;
    this.frame.style.height = `${height}px`;
    this.setZoom(this.zoom);
  }

  /** @param {{scale: number, x: number, y: number}} zoom */
  setZoom(zoom) {
    this.zoom = zoom.scale <= 1 ? { scale: zoom.scale, x: zoom.x, y: zoom.y } : zoom;
    const { scale, x, y } = this.zoom;
    this.frame.style.transform = scale === 1 && x === 0 && y === 0 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
    this.element.classList.toggle("slide-near", scale > 1);
    if (scale > 1) this.#loadOriginalIfWorthIt();
  }

  /** Puts the picture back over the stage. */
  settleZoom() {
    const scale = Math.max(1, this.zoom.scale);
    this.setZoom(clamped({ ...this.zoom, scale }, this.size, this.#stage));
  }

  /** Loads what is shown at scale 1. Videos wait until they are in front. */
  async load() {
    if (this.#isLoaded || this.isVideo) return;
    this.#isLoaded = true;
    await this.#climb();
  }

  /** Comes to the front. */
  enter() {
    this.element.setAttribute("aria-hidden", "false");
    this.element.inert = false;
    this.load();
    if (this.isVideo && !this.#video) this.#openVideo();
  }

  /** Goes to the side, where the keyboard must not go. */
  leave() {
    this.element.setAttribute("aria-hidden", "true");
    this.element.inert = true;
    this.#video?.pause();
    this.frame.querySelector(".slide-moving")?.remove();
    if (this.zoom.scale !== 1) this.setZoom({ scale: 1, x: 0, y: 0 });
  }

  /** Takes what the laptop knows about the photo. */
  set details(details) {
    this.#details = details;
  }

  /** Shows the moving part of a live photo, once. */
  playMoving() {
    if (this.frame.querySelector(".slide-moving")) return;
    const companion = this.#details?.companions?.find((file) => file.role === "video");
    const video = make("video", { class: "slide-moving", playsinline: true, autoplay: true, src: videoAddress(companion?.id ?? this.id) });
    video.addEventListener("ended", () => video.remove());
    video.addEventListener("error", () => {
      if (video.dataset.tried) {
        video.remove();
        return;
      }
      video.dataset.tried = "yes";
      video.src = videoAddress(companion?.id ?? this.id, true);
    });
    this.frame.append(video);
  }

  /**
   * Loads the original, for those who hold a finger on it to keep it.
   * @returns {Promise<boolean>} whether it is shown
   */
  async showOriginal() {
    if (this.isVideo) return false;
    this.#renditions.want("original");
    await this.#climb();
    return this.#renditions.isWhole;
  }

  /** Lets go of everything. */
  end() {
    this.#controller.abort();
    if (this.#video) {
      this.#video.removeAttribute("src");
      this.#video.load();
    }
    this.element.remove();
  }

  /** What failed before may be there now: the laptop says so, or is back after a silence. */
  #listen() {
    const again = () => {
      if (this.isVideo) this.#retryVideo?.();
      else if (this.#isLoaded && !this.#renditions.isWhole) this.#climbAgain();
    };
    const listeners = readyEvents.map((kind) => live.on(kind, (event) => event.photo === this.id && again()));
    listeners.push(live.on("open", again));
    this.#controller.signal.addEventListener("abort", () => listeners.forEach((end) => end()), { once: true });
  }

  #climbAgain() {
    this.#renditions.retry();
    this.#climb();
  }

  /** Loads the largest picture that is wanted; a smaller one where that cannot be had. */
  async #climb() {
    for (let size = this.#renditions.take(); size !== null; size = this.#renditions.take()) {
      await this.#show(size);
      if (this.#controller.signal.aborted) return;
    }
  }

  #addressOf(size) {
    if (size === "original") return originalAddress(this.id);
    return size === "preview" ? previewAddress(this.id) : thumbnailAddress(this.id, this.#photo.thumbnail);
  }

  async #show(size) {
    const signal = this.#controller.signal;
    try {
      const image = await loadPicture(
        this.#addressOf(size), { photo: this.id, signal, onWait: (error) => this.#say(error.message) });
      if (!this.#renditions.loaded(size)) return;
      image.className = "slide-picture";
      image.alt = this.words;
      image.dataset.photo = this.id;
      const old = this.#picture;
      this.#picture = image;
      this.frame.append(image);
      old?.remove();
      // Why there is only a small picture stays there to be read.
      if (size !== "thumbnail") this.#say("");
      this.#followShape(image);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#renditions.failed(size);
      if (size === "original") this.#say("");
      else if (!this.#picture) this.#say(error.message);
    }
  }

  /** The listing may not know a picture's shape, or have it cut. */
  #followShape(image) {
    const aspect = image.naturalWidth / image.naturalHeight;
    if (!Number.isFinite(aspect) || Math.abs(aspect / this.#aspect - 1) < 0.01) return;
    this.#aspect = aspect;
    this.layOut(this.#stage);
  }

  #loadOriginalIfWorthIt() {
    if (this.isVideo || this.#renditions.wants("original") || !this.#picture) return;
    const wanted = this.size.width * this.zoom.scale * devicePixelRatio;
    const { width, height, type } = this.#details ?? {};
    const isShowable = /^image\/(jpeg|png|webp|gif|avif|bmp)$/.test(type ?? "");
    if (!isShowable || wanted < this.#picture.naturalWidth * 1.2) return;
    if (!width || width <= this.#picture.naturalWidth || width * height > pixelsMax) return;
    this.showOriginal();
  }

  #openVideo() {
    const video = make("video", {
      class: "slide-picture", controls: true, playsinline: true, preload: "metadata", "data-photo": this.id,
      "aria-label": this.words, poster: this.photo.thumbnail ? thumbnailAddress(this.id, this.photo.thumbnail) : null,
    });
    this.#video = video;
    let isRendition = false;
    let unreadable = 0;
    const failed = async () => {
      const url = videoAddress(this.id, isRendition);
      try {
        if (!isRendition) {
          isRendition = true;
          video.src = videoAddress(this.id, true);
          return;
        }
        const isThere = await untilReady(url, {
          photo: this.id, signal: this.#controller.signal, onWait: (error) => this.#sayProgress(error),
        });
        if (isThere) unreadable += 1;
        if (unreadable > 1) throw unreadableError();
        video.src = url;
      } catch (error) {
        if (error.name === "AbortError") return;
        this.#say(error.message);
        this.#retryVideo = () => {
          this.#retryVideo = null;
          unreadable = 0;
          video.src = videoAddress(this.id, isRendition);
        };
      }
    };
    video.addEventListener("error", failed);
    video.addEventListener("loadedmetadata", () => {
      // Some browsers play the sound of a film whose picture they cannot read.
      if (video.videoWidth === 0 && !isRendition) failed();
      else this.#say("");
    });
    video.src = videoAddress(this.id);
    this.frame.append(video);
  }

  #sayProgress(error) {
    const share = error.progress === undefined ? "" : `, ${Math.round(error.progress * 100)} %`;
    this.#say(error.code === "preparing" ? `Being prepared${share}` : error.message);
  }

  #say(sentence) {
    fill(this.#words, sentence);
    this.#words.hidden = sentence === "";
  }
}
