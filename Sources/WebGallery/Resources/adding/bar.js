// The bar at the foot of the page while files are on their way, and the list behind it.

import { makeSheet, showDialog } from "../shared/dialog.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { arrivalWords } from "./arrived.js";
import { barWords, leftWords, mayRetry, reasonWords, stateWords } from "./words.js";

/** The page is drawn anew at most so often, in milliseconds. */
const DRAW_DELAY = 100;
/** Screen readers hear how far it is at most so often. */
const SPOKEN_DELAY = 15_000;
/** Rows in the list. */
const ROW_COUNT_MAX = 200;

/** Shows one uploader. */
export class UploadBar {
  #uploader;
  #drawTimer = null;
  #spokenAt = 0;
  #rows = new Map();
  #words = make("span", { class: "bar-words" });
  #progress = make("progress", { class: "progress", max: "1", value: "0", "aria-label": "Added so far" });
  #details = make("button", { type: "button", class: "button button-plain" }, "Details");
  #pick = make("button", { type: "button", class: "button", hidden: true }, "Pick again");
  #dismiss = make("button", { type: "button", class: "icon-button", "aria-label": "Close this bar" }, icon("close"));
  #spoken = make("p", { class: "unseen", role: "status" });
  #list = make("ul", { class: "adding-list" });
  #rest = make("p", { class: "adding-rest small quiet", hidden: true });
  #sheet = makeSheet("Files that you add", this.#list, this.#rest);
  #bar = make(
    "section", { class: "bar add-bar", "aria-label": "Adding photos", hidden: true },
    this.#progress, this.#words, this.#pick, this.#details, this.#dismiss,
  );

  /**
   * @param {import("./uploader.js").Uploader} uploader
   * @param {{onPick: () => void}} handlers Called when files have to be picked again.
   */
  constructor(uploader, { onPick }) {
    this.#uploader = uploader;
    this.#sheet.classList.add("sheet-wide");
    this.#details.addEventListener("click", () => showDialog(this.#sheet, { keep: true }));
    this.#pick.addEventListener("click", onPick);
    this.#dismiss.addEventListener("click", () => this.#clear());
    uploader.addEventListener("change", () => this.#drawSoon());
    this.#draw();
  }

  /** What belongs into the page. */
  get elements() {
    return [this.#bar, this.#spoken, this.#sheet];
  }

  /** Takes its height back from the page. */
  close() {
    clearTimeout(this.#drawTimer);
    this.#reserve(false);
  }

  #clear() {
    this.#uploader.dropLeft();
    this.#uploader.clearFinished();
  }

  #drawSoon() {
    this.#drawTimer ??= setTimeout(() => {
      this.#drawTimer = null;
      this.#draw();
    }, DRAW_DELAY);
  }

  #draw() {
    const { items, left, summary, unfinishedCount, isSuspended } = this.#uploader;
    const isShown = items.length > 0 || left.length > 0;
    this.#bar.hidden = !isShown;
    this.#reserve(isShown);
    this.#drawRows(this.#shownItems(items), items.length);
    if (!isShown) return;
    const hasLeft = left.length > 0 && unfinishedCount === 0;
    const isOffline = items.some((item) => item.retryAt > 0) && summary.sending === 0;
    const words = hasLeft ? leftWords(left) : barWords(summary, { isSuspended, isOffline });
    if (this.#words.textContent !== words) this.#words.textContent = words;
    this.#progress.value = summary.bytes > 0 ? summary.sentBytes / summary.bytes : 1;
    this.#progress.hidden = unfinishedCount === 0;
    this.#pick.hidden = !hasLeft;
    this.#details.hidden = items.length === 0;
    this.#dismiss.hidden = unfinishedCount > 0;
    this.#speak(words, unfinishedCount === 0);
  }

  #speak(words, isEnd) {
    const now = performance.now();
    if (this.#spoken.textContent === words || (!isEnd && now - this.#spokenAt < SPOKEN_DELAY && this.#spokenAt > 0)) return;
    this.#spokenAt = now;
    this.#spoken.textContent = words;
  }

  /** The page leaves room below for the bar. */
  #reserve(isShown) {
    const root = document.documentElement;
    document.body.toggleAttribute("data-adding", isShown);
    if (isShown) root.style.setProperty("--bar-height", `${Math.max(56, this.#bar.offsetHeight)}px`);
    else root.style.removeProperty("--bar-height");
  }

  /** All of a short list; of a long one what a person looks for: what failed, what moves, what waits, then the rest. */
  #shownItems(items) {
    if (items.length <= ROW_COUNT_MAX) return items;
    const order = ["refused", "sending", "hashing", "waiting", "here", "already"];
    return [...items].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state)).slice(0, ROW_COUNT_MAX);
  }

  #drawRows(items, count) {
    const ids = new Set(items.map((item) => item.id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    items.forEach((item, index) => {
      let row = this.#rows.get(item.id);
      if (row === undefined) {
        row = new Row(item.id, this.#uploader);
        this.#rows.set(item.id, row);
      }
      row.draw(item);
      if (this.#list.children[index] !== row.element) this.#list.insertBefore(row.element, this.#list.children[index] ?? null);
    });
    this.#rest.hidden = count <= items.length;
    this.#rest.textContent = `and ${count - items.length} more`;
  }
}

/** One file in the list. */
class Row {
  #drawn = "";
  #name = make("strong", { class: "adding-name" });
  #state = make("span", { class: "adding-state small" });
  #button = make("button", { type: "button", class: "button button-plain" });
  #action = () => {};

  constructor(id, uploader) {
    this.id = id;
    this.uploader = uploader;
    this.element = make(
      "li", { class: "adding-row", dataset: { upload: id } }, make("div", {}, this.#name, this.#state), this.#button,
    );
    this.#button.addEventListener("click", () => this.#action());
  }

  draw(item) {
    const words = [stateWords(item)];
    if (item.state === "refused") words[0] = reasonWords(item, this.uploader);
    const arrival = arrivalWords(item.arrived);
    if (arrival !== null && item.state !== "refused") words.push(arrival);
    const text = words.join(" · ");
    const drawn = `${item.state} ${item.isTakingBack} ${text}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.element.dataset.state = item.state;
    this.#name.textContent = item.name;
    this.#state.textContent = text;
    this.#state.classList.toggle("warning", item.state === "refused");
    this.#state.classList.toggle("quiet", item.state !== "refused");
    this.#drawButton(item);
  }

  #drawButton(item) {
    const [word, action] = this.#actionFor(item);
    this.#button.hidden = word === null;
    this.#action = action;
    fill(this.#button, word ?? "");
    this.#button.setAttribute("aria-label", `${word}: ${item.name}`);
  }

  #actionFor(item) {
    const { uploader, id } = this;
    switch (item.state) {
      case "here":
        return item.photo === null || item.isTakingBack ? [null, () => {}] : ["Undo", () => uploader.takeBack(id)];
      case "already":
        return [null, () => {}];
      case "refused":
        return mayRetry(item.reason) ? ["Try again", () => uploader.retry(id)] : ["Remove", () => uploader.cancel(id)];
      default:
        return ["Cancel", () => uploader.cancel(id)];
    }
  }
}
