/**
 * The rule at the edge: years, and a handle to pull through an album.
 */

import { monthName, yearOf } from "../shared/dates.js";
import { fill, make } from "../shared/elements.js";

/** Shorter albums are scrolled through with a thumb or two. */
const viewsMin = 4;
const yearGap = 22;
const shownMilliseconds = 1500;
/** So long a pulled view waits for its pictures before it goes on. */
const viewMilliseconds = 400;

export class Scrubber {
  #grid;
  #element;
  #handle;
  #bubble;
  #years;
  #months = [];
  #hideTimer = 0;
  #isPulled = false;
  #share = 0;
  /** Where the grid is to go next, as a share of its height. */
  #next = null;
  #isMoving = false;

  /** @param {import("./grid.js").Grid} grid */
  constructor(grid) {
    this.#grid = grid;
    this.#bubble = make("span", { class: "scrubber-bubble", "aria-hidden": "true" });
    this.#handle = make("span", { class: "scrubber-handle" }, this.#bubble);
    this.#years = make("span", { class: "scrubber-years", "aria-hidden": "true" });
    this.#element = make(
      "div",
      {
        class: "scrubber", role: "slider", tabindex: "0", hidden: true, "aria-label": "Month", "aria-valuemin": "0",
        "aria-orientation": "vertical",
      },
      this.#years, this.#handle,
    );
    (document.querySelector("main") ?? document.body).append(this.#element);
    this.#element.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.#element.addEventListener("pointermove", (event) => this.#pulled(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      this.#element.addEventListener(kind, () => this.#released());
    }
    this.#element.addEventListener("keydown", (event) => this.#keyPressed(event));
    addEventListener("scroll", () => this.#follow(), { passive: true });
    addEventListener("resize", () => this.update());
  }

  /** Reads the months anew: photos came, or the page has another size. */
  update() {
    const { height, view } = this.#grid.extent;
    this.#months = this.#grid.monthShares();
    const isLong = height > viewsMin * view && this.#months.length > 1;
    this.#element.hidden = !isLong;
    document.documentElement.classList.toggle("has-scrubber", isLong);
    if (!isLong) return;
    this.#element.setAttribute("aria-valuemax", String(this.#months.length - 1));
    this.#drawYears();
    this.#follow(true);
  }

  #drawYears() {
    const length = this.#years.clientHeight;
    let year = null;
    let lastY = -yearGap;
    const marks = [];
    for (const month of this.#months) {
      const its = yearOf(month.month);
      if (its === year || its === "") continue;
      year = its;
      const y = month.share * length;
      if (y < lastY + yearGap) continue;
      lastY = y;
      const mark = make("span", {}, its);
      mark.style.top = `${Math.round(y)}px`;
      marks.push(mark);
    }
    fill(this.#years, marks);
  }

  #follow(isQuiet = false) {
    if (this.#element.hidden) return;
    if (!this.#isPulled && !this.#isMoving) {
      const { height, view, top } = this.#grid.extent;
      this.#place(Math.min(1, Math.max(0, scrollY / Math.max(1, height + top - view))));
    }
    if (isQuiet) return;
    this.#element.classList.add("scrubber-shown");
    clearTimeout(this.#hideTimer);
    this.#hideTimer = setTimeout(() => {
      if (!this.#isPulled) this.#element.classList.remove("scrubber-shown");
    }, shownMilliseconds);
  }

  #place(share) {
    this.#share = share;
    const y = share * this.#years.clientHeight;
    this.#handle.style.transform = `translateY(${Math.round(y)}px)`;
    const month = this.#grid.monthAt(share)?.month;
    if (!month || month === this.#element.dataset.month) return;
    this.#element.dataset.month = month;
    this.#bubble.textContent = monthName(month);
    this.#element.setAttribute("aria-valuetext", monthName(month));
    const position = this.#months.findIndex((candidate) => candidate.month === month);
    this.#element.setAttribute("aria-valuenow", String(Math.max(0, position)));
  }

  #pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.#element.setPointerCapture(event.pointerId);
    this.#isPulled = true;
    this.#element.classList.add("scrubber-pulled");
    this.#pullTo(event.clientY);
  }

  #pulled(event) {
    if (this.#isPulled) this.#pullTo(event.clientY);
  }

  #released() {
    if (!this.#isPulled) return;
    this.#isPulled = false;
    this.#element.classList.remove("scrubber-pulled");
    this.#follow();
  }

  #pullTo(clientY) {
    const box = this.#years.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientY - box.top) / box.height));
    this.#place(share);
    this.#next = share;
    if (!this.#isMoving) this.#move();
  }

  /** The grid goes after the handle from view to view, each with its pictures: one that passed through all showed none. */
  async #move() {
    this.#isMoving = true;
    while (this.#next !== null) {
      const { height, view, top } = this.#grid.extent;
      scrollTo(0, Math.round(this.#next * (height + top - view)));
      this.#next = null;
      const end = performance.now() + viewMilliseconds;
      // The grid draws in the first frame.
      await nextFrame();
      do await nextFrame();
      while (!this.#grid.isShown && performance.now() < end);
    }
    this.#isMoving = false;
    this.#follow();
  }

  #keyPressed(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 12, PageUp: -12 }[event.key];
    const last = this.#months.length - 1;
    const now = this.#months.findIndex((month) => month.month === this.#element.dataset.month);
    let next = step === undefined ? null : Math.min(last, Math.max(0, now + step));
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = last;
    if (next === null) return;
    event.preventDefault();
    this.#grid.goTo(this.#months[next].ordinal);
    // The view may end before the last months reach its top.
    this.#element.dataset.month = this.#months[next].month;
    this.#element.setAttribute("aria-valuenow", String(next));
    this.#element.setAttribute("aria-valuetext", monthName(this.#months[next].month));
  }
}

function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
