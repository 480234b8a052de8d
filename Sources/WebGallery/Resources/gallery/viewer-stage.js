/**
 * The viewer's stage: three slides, and what fingers, mouse and wheel do with them.
 */

import { make } from "../shared/elements.js";
import { isStill, move } from "../shared/motion.js";
import { Slide } from "./viewer-slide.js";
import { clamped, scaleMax, scaledAbout, swipeEnd } from "./zoom.js";

const slideGap = 24;
const doubleTapMilliseconds = 280;
const tapDistance = 10;

export class Stage extends EventTarget {
  #slides = new Map();
  #current = null;
  #pointers = new Map();
  #gesture = null;
  #lastTap = { at: 0, x: 0, y: 0 };
  #tapTimer = 0;

  constructor() {
    super();
    this.track = make("div", { class: "stage-track" });
    this.element = make("div", { class: "stage" }, this.track);
    this.element.addEventListener("pointerdown", (event) => this.#down(event));
    this.element.addEventListener("pointermove", (event) => this.#moved(event));
    for (const kind of ["pointerup", "pointercancel"]) this.element.addEventListener(kind, (event) => this.#up(event));
    this.element.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    this.element.addEventListener("dblclick", (event) => event.preventDefault());
  }

  /** The slide in front. */
  get current() {
    return this.#current;
  }

  get #size() {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  /**
   * Shows one photo with its neighbours beside it.
   * @param {({photo: import("./photos.js").Photo, ordinal: number, month: string}|null)[]} items the one before, the
   *   one in front, the one after
   */
  show(items) {
    const wanted = new Map();
    items.forEach((item, index) => {
      if (!item) return;
      const slide = this.#slides.get(item.photo.key) ?? new Slide(item.photo, item.ordinal, item.month);
      slide.ordinal = item.ordinal;
      slide.photo = item.photo;
      wanted.set(item.photo.key, { slide, position: index - 1 });
    });
    for (const [key, slide] of this.#slides) if (!wanted.has(key)) slide.end();
    this.#slides = new Map();
    const before = this.#current;
    this.track.style.transform = "";
    for (const [key, { slide, position }] of wanted) {
      this.#slides.set(key, slide);
      if (!slide.element.isConnected) this.track.append(slide.element);
      slide.position = position;
      slide.layOut(this.#size);
      if (position === 0) this.#current = slide;
      else slide.leave();
    }
    this.#place();
    if (this.#current !== before) this.#current.enter();
    const front = this.#current;
    // The neighbours come after the one that is looked at.
    front.load().then(() => {
      if (this.#current !== front) return;
      for (const slide of this.#slides.values()) slide.load();
    });
  }

  /** Lets go of all slides. */
  clear() {
    for (const slide of this.#slides.values()) slide.end();
    this.#slides.clear();
    this.#current = null;
    this.#pointers.clear();
    this.#gesture = null;
    clearTimeout(this.#tapTimer);
  }

  /** Another size of the stage. */
  layOut() {
    for (const slide of this.#slides.values()) slide.layOut(this.#size);
    this.#place();
  }

  /**
   * Enlarges or reduces about a point.
   * @param {number} factor
   * @param {{x: number, y: number}} [point] from the stage's middle
   */
  zoomBy(factor, point = { x: 0, y: 0 }) {
    const slide = this.#current;
    if (!slide || slide.isVideo) return;
    const scale = Math.min(scaleMax(slide.pixels, slide.size.width), Math.max(1, slide.zoom.scale * factor));
    slide.setZoom(clamped(scaledAbout(slide.zoom, scale, point), slide.size, this.#size));
  }

  /** Goes back to the whole picture. */
  unzoom() {
    this.#current?.setZoom({ scale: 1, x: 0, y: 0 });
  }

  /**
   * Lets the picture in front grow out of a place of the page, or shrink into it.
   * @param {DOMRect} place
   * @param {boolean} isOpening
   */
  async fly(place, isOpening) {
    const slide = this.#current;
    if (!slide || isStill()) return;
    const box = slide.frame.getBoundingClientRect();
    if (box.width === 0 || place.width === 0) return;
    const x = place.left + place.width / 2 - (box.left + box.width / 2);
    const y = place.top + place.height / 2 - (box.top + box.height / 2);
    const own = slide.frame.style.transform || "none";
    const there = `translate(${x}px, ${y}px) ${own === "none" ? "" : own} scale(${place.width / box.width}, ${place.height / box.height})`;
    const frames = [{ transform: there }, { transform: own }];
    await move(slide.frame, isOpening ? frames : frames.reverse(), 200);
  }

  #place() {
    const step = this.element.clientWidth + slideGap;
    for (const slide of this.#slides.values()) {
      slide.element.style.transform = slide.position === 0 ? "" : `translateX(${slide.position * step}px)`;
    }
  }

  #has(position) {
    return [...this.#slides.values()].some((slide) => slide.position === position);
  }

  /** Moves the track by one slide and says so. */
  async step(direction) {
    if (!this.#has(direction)) {
      await this.#glide(0);
      return;
    }
    this.#current?.leave();
    await this.#glide(-direction * (this.element.clientWidth + slideGap));
    this.#tell("step", { direction });
  }

  async #glide(to) {
    const from = this.track.style.transform || "none";
    const there = to === 0 ? "none" : `translateX(${to}px)`;
    if (from !== there) await move(this.track, [{ transform: from }, { transform: there }], 160);
    this.track.style.transform = to === 0 ? "" : there;
  }

  // Fingers

  #down(event) {
    if (event.button !== 0 || this.#isForVideo(event)) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (event.pointerType !== "mouse" || this.#current?.zoom.scale > 1) this.element.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) this.#beginPinch();
    else if (this.#pointers.size === 1) {
      this.#gesture = {
        kind: "undecided", x: event.clientX, y: event.clientY, at: event.timeStamp, touch: event.pointerType !== "mouse",
        zoom: this.#current?.zoom, speeds: [],
      };
    }
  }

  /** The lower edge of a video belongs to its own controls. */
  #isForVideo(event) {
    if (!(event.target instanceof HTMLVideoElement)) return false;
    return event.clientY > event.target.getBoundingClientRect().bottom - 72;
  }

  #moved(event) {
    if (event.pointerType === "mouse") this.#tell("awake", {});
    const before = this.#pointers.get(event.pointerId);
    const gesture = this.#gesture;
    if (!before || !gesture) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (gesture.kind === "pinch") {
      this.#pinch();
      return;
    }
    const x = event.clientX - gesture.x;
    const y = event.clientY - gesture.y;
    if (gesture.kind === "undecided") this.#decide(gesture, x, y);
    gesture.speeds.push({ x: event.clientX, y: event.clientY, at: event.timeStamp });
    if (gesture.speeds.length > 6) gesture.speeds.shift();
    if (gesture.kind === "pan") this.#pan(gesture, x, y);
    if (gesture.kind === "swipe") this.#swipe(x);
    if (gesture.kind === "dismiss") this.#drag(x, y);
  }

  #decide(gesture, x, y) {
    if (Math.hypot(x, y) < tapDistance) return;
    if (this.#current?.zoom.scale > 1) gesture.kind = "pan";
    else if (!gesture.touch) gesture.kind = "none";
    else if (Math.abs(x) > Math.abs(y)) gesture.kind = "swipe";
    else gesture.kind = y > 0 ? "dismiss" : "lift";
  }

  #pan(gesture, x, y) {
    const zoom = { scale: gesture.zoom.scale, x: gesture.zoom.x + x, y: gesture.zoom.y + y };
    this.#current.setZoom(clamped(zoom, this.#current.size, this.#size));
  }

  #swipe(x) {
    const isEnd = !this.#has(x > 0 ? -1 : 1);
    this.track.style.transform = `translateX(${isEnd ? x / 3 : x}px)`;
  }

  #drag(x, y) {
    const share = Math.min(1, Math.max(0, y) / this.element.clientHeight);
    this.#current.setZoom({ scale: 1 - share * 0.4, x, y: Math.max(0, y) });
    this.#tell("drag", { share });
  }

  #beginPinch() {
    if (!this.#current || this.#current.isVideo) return;
    this.track.style.transform = "";
    this.#tell("drag", { share: 0 });
    const [one, other] = [...this.#pointers.values()];
    this.#gesture = {
      kind: "pinch", zoom: { ...this.#current.zoom, scale: Math.max(1, this.#current.zoom.scale) },
      distance: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)), middle: this.#middle(one, other),
    };
  }

  #pinch() {
    const [one, other] = [...this.#pointers.values()];
    if (!other || !this.#current) return;
    const { zoom, distance, middle } = this.#gesture;
    const now = this.#middle(one, other);
    const wanted = zoom.scale * (Math.hypot(one.x - other.x, one.y - other.y) / distance);
    const most = scaleMax(this.#current.pixels, this.#current.size.width);
    const scale = Math.min(most, Math.max(0.7, wanted));
    const about = scaledAbout(zoom, scale, middle);
    this.#current.setZoom({ scale, x: about.x + now.x - middle.x, y: about.y + now.y - middle.y });
  }

  #middle(one, other) {
    return this.#fromMiddle((one.x + other.x) / 2, (one.y + other.y) / 2);
  }

  #fromMiddle(clientX, clientY) {
    const box = this.element.getBoundingClientRect();
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    const gesture = this.#gesture;
    if (!gesture) return;
    if (gesture.kind === "pinch") {
      if (this.#pointers.size === 0) this.#gesture = null;
      this.#current?.settleZoom();
      return;
    }
    this.#gesture = null;
    const x = event.clientX - gesture.x;
    const y = event.clientY - gesture.y;
    const speed = speedOf(gesture.speeds, event.timeStamp);
    const isCancelled = event.type === "pointercancel";
    if (gesture.kind === "undecided" && !isCancelled) this.#tapped(event, gesture);
    if (gesture.kind === "swipe") this.step(isCancelled ? 0 : -swipeEnd(x, speed.x, this.element.clientWidth));
    if (gesture.kind === "lift" && y < -60) this.#tell("lift", {});
    if (gesture.kind === "dismiss") this.#endDrag(!isCancelled && swipeEnd(y, speed.y, this.element.clientHeight / 2) > 0);
  }

  async #endDrag(isLeaving) {
    if (isLeaving) {
      this.#tell("dismiss", {});
      return;
    }
    const slide = this.#current;
    const from = slide.frame.style.transform;
    slide.setZoom({ scale: 1, x: 0, y: 0 });
    this.#tell("drag", { share: 0 });
    await move(slide.frame, [{ transform: from }, { transform: "none" }], 160);
  }

  #tapped(event, gesture) {
    const isDouble = event.timeStamp - this.#lastTap.at < doubleTapMilliseconds
      && Math.hypot(event.clientX - this.#lastTap.x, event.clientY - this.#lastTap.y) < 40;
    clearTimeout(this.#tapTimer);
    if (isDouble) {
      this.#lastTap = { at: 0, x: 0, y: 0 };
      this.#zoomAt(event);
      return;
    }
    this.#lastTap = { at: event.timeStamp, x: event.clientX, y: event.clientY };
    if (gesture.touch) this.#tapTimer = setTimeout(() => this.#tell("tap", {}), doubleTapMilliseconds);
  }

  #zoomAt(event) {
    const slide = this.#current;
    if (!slide || slide.isVideo) return;
    const from = slide.frame.style.transform || "none";
    if (slide.zoom.scale > 1) this.unzoom();
    else this.zoomBy(2.5, this.#fromMiddle(event.clientX, event.clientY));
    move(slide.frame, [{ transform: from }, { transform: slide.frame.style.transform || "none" }], 160);
  }

  #wheeled(event) {
    event.preventDefault();
    this.#tell("awake", {});
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
    this.zoomBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), this.#fromMiddle(event.clientX, event.clientY));
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** Pixels a millisecond over the last moments of a movement; none after a rest. */
function speedOf(places, now) {
  const first = places[0];
  const last = places[places.length - 1];
  if (!first || last.at === first.at || now - last.at > 80) return { x: 0, y: 0 };
  const time = last.at - first.at;
  return { x: (last.x - first.x) / time, y: (last.y - first.y) / time };
}
