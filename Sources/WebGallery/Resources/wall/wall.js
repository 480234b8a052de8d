// The page of the wall: takes slides from the schedule, shows them, and follows what happens on the laptop.

import { ApiError, address, request } from "../shared/api.js";
import { need } from "../shared/elements.js";
import { live } from "../shared/live.js";
import { move } from "../shared/motion.js";
import { me } from "../shared/session.js";
import { startMoving } from "../joining/moving.js";
import { startControls } from "./controls.js";
import { newPhotos } from "./arrivals.js";
import { ShownLink } from "./link.js";
import { allPhotos } from "./photos.js";
import { Pictures } from "./pictures.js";
import { WALL_LIMITS, WallSchedule } from "./schedule.js";
import { Slide } from "./slide.js";

/** The list is loaded again so often: dates and names of photos come after the photos themselves. */
const RELOAD_DELAY = 30 * 60_000;
/** Slides in a row that may fail to load before the wall takes a rest. */
const FAILURE_COUNT_MAX = 5;
const REST_DELAY = 3_000;
const FADE_DURATION = 200;

class Wall {
  #schedule = new WallSchedule();
  #pictures = new Pictures();
  #stage = need("#stage");
  #slide = null;
  #timer = null;
  #isLoading = false;
  #isPaused = false;

  start() {
    this.#listen();
    // Its opening loads the list.
    live.start();
    setInterval(() => this.reload(), RELOAD_DELAY);
  }

  /** Loads the list again, and begins where nothing is shown yet. */
  async reload() {
    try {
      this.#schedule.setPhotos(await allPhotos(WALL_LIMITS.photoCountMax));
    } catch (error) {
      // The list that was known stays; the stream's next opening loads it again.
      if (!(error instanceof ApiError)) throw error;
    }
    if (this.#slide === null) this.next();
  }

  /** Goes on, whatever the time. */
  next() {
    clearTimeout(this.#timer);
    this.#advance();
  }

  /** Stops at the slide that is shown, or goes on. */
  setPaused(isPaused) {
    this.#isPaused = isPaused;
    clearTimeout(this.#timer);
    if (!isPaused) this.#advance();
  }

  #listen() {
    const arrivals = newPhotos({
      onPhoto: (photo) => this.#arrived(photo),
      onTooMany: () => this.reload(),
    });
    live.on("photo.added", ({ album, photo }) => arrivals.added(album, photo));
    live.on("wall.changed", ({ album, photo }) => arrivals.added(album, photo));
    live.on("photo.here", ({ photo }) => arrivals.changed(photo));
    live.on("photo.removed", ({ photo }) => this.#removed(photo));
    live.on("preview.ready", ({ photo }) => this.#pictures.previewReady(photo));
    live.on("photo.changed", ({ photo }) => {
      arrivals.changed(photo);
      this.#slide?.refreshWords(photo);
    });
    live.on("afresh", () => this.reload());
    live.on("open", () => {
      if (this.#slide === null) this.reload();
    });
    live.on("session.ended", () => this.#sessionEnded());
  }

  #arrived(photo) {
    this.#schedule.add(photo);
    if (this.#isPaused || (this.#slide?.isNew ?? false)) return;
    if (this.#schedule.hasArrival) this.next();
  }

  #removed(id) {
    this.#schedule.remove(id);
    if (this.#slide?.holds(id)) this.next();
  }

  #sessionEnded() {
    clearTimeout(this.#timer);
    this.#isPaused = true;
    this.#showEmpty("This wall is signed out. Open it again with the newest link.");
  }

  async #advance() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const slide = await this.#loadNext();
      if (slide === null) this.#rest();
      else await this.#show(slide);
    } finally {
      this.#isLoading = false;
    }
    // What arrived while this one was loaded does not wait for it, unless this one is new itself.
    if (this.#slide !== null && !this.#slide.isNew && !this.#isPaused && this.#schedule.hasArrival && this.#slide.isFresh) {
      this.next();
    }
  }

  async #loadNext() {
    for (let count = 0; count < FAILURE_COUNT_MAX; count += 1) {
      const planned = this.#schedule.next(innerWidth / innerHeight);
      if (planned === null) return null;
      const slide = await Slide.load(planned, this.#pictures);
      if (slide !== null) return slide;
    }
    return null;
  }

  async #show(slide) {
    const before = this.#slide;
    this.#slide = slide;
    need("#empty").hidden = true;
    this.#stage.append(slide.element);
    slide.start({ onDuration: (milliseconds) => this.#setTimer(milliseconds) });
    this.#setTimer(WALL_LIMITS.slideDelay);
    await move(slide.element, [{ opacity: 0 }, { opacity: 1 }], FADE_DURATION);
    before?.release(this.#pictures);
  }

  #setTimer(delay) {
    clearTimeout(this.#timer);
    if (!this.#isPaused) this.#timer = setTimeout(() => this.#advance(), delay);
  }

  /** Nothing can be shown now. */
  #rest() {
    if (this.#schedule.photoCount === 0) {
      const isCodeShown = !need("#code").hidden;
      this.#showEmpty(isCodeShown ? "No photos yet. Scan the code and add the first." : "No photos yet.");
    }
    this.#setTimer(REST_DELAY);
  }

  #showEmpty(sentence) {
    this.#slide?.release(this.#pictures);
    this.#slide = null;
    need("#empty-words").textContent = sentence;
    need("#empty").hidden = false;
  }
}

const wall = new Wall();
const controls = startControls({ onNext: () => wall.next(), onPause: (isPaused) => wall.setPaused(isPaused) });
const link = new ShownLink({
  link: document.body.dataset.link,
  load: async () => (await request(address(["link"]))).link,
  show: controls.setLink,
});
// What was missed while the stream was broken may have been a new link.
for (const kind of ["link.changed", "afresh", "open"]) live.on(kind, () => link.refresh());
wall.start();
try {
  startMoving({ me: await me(), place: () => "/wall" });
} catch (error) {
  // Without an answer there is nowhere to move to; the stream keeps trying to reach this laptop.
  if (!(error instanceof ApiError)) throw error;
}
