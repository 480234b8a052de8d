/**
 * The viewer: one photo at a time on black. It has an address of its own, so that the browser's back closes it.
 */

import { address, request } from "../shared/api.js";
import { albumPage, originalAddress, photoOfPage, photoPage, wordsAddress } from "../shared/addresses.js";
import { takenName } from "../shared/dates.js";
import { confirm } from "../shared/dialog.js";
import { make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { isStill, move } from "../shared/motion.js";
import { notice } from "../shared/notice.js";
import { flag } from "./photos.js";
import { Panel } from "./viewer-panel.js";
import { Stage } from "./viewer-stage.js";
import { Strip } from "./viewer-strip.js";
import { describe } from "./tiles.js";

const fadeMilliseconds = 3000;

/** What its controls are called; albums show the newest photo first. */
const galleryWords = {
  before: "Newer photo",
  after: "Older photo",
  about: { icon: "comment", label: "Comments and details" },
  original: { icon: "download", label: "Take home", attributes: { download: true } },
};

export class Viewer {
  #album;
  #grid;
  #source;
  #person = null;
  #words;
  #onShown;
  #stage = new Stage();
  #strip = new Strip((ordinal) => this.#go(ordinal));
  #panel;
  #key = null;
  #ordinal = -1;
  #details = new Map();
  #fadeTimer = 0;
  #isPushed = false;
  #isLeaving = false;

  /**
   * @param {{album: {id: string, name: string}, grid: import("./grid.js").Grid,
   *   source: import("./album-source.js").AlbumSource, words?: typeof galleryWords,
   *   onShown?: (photo: import("./photos.js").Photo) => void}} options `onShown` is called for each photo that comes to
   *   the front
   */
  constructor({ album, grid, source, words = galleryWords, onShown = () => {} }) {
    this.#album = album;
    this.#grid = grid;
    this.#source = source;
    this.#words = words;
    this.#onShown = onShown;
    this.#panel = new Panel(album);
    this.#make();
    this.#listen();
  }

  /** Whether it is in front. */
  get isOpen() {
    return this.dialog.open;
  }

  /** Who looks, from `GET /me`: decides what there is to do. */
  set person(person) {
    this.#person = person;
    this.#panel.mayTalk = person.may.includes("talk");
    this.#panel.mayManage = person.may.includes("manage");
    this.#panel.mayRemove = person.kind === "guest" || this.#panel.mayManage;
    this.favourite.hidden = !person.may.includes("talk");
    this.download.hidden = !person.may.includes("take");
    if (this.isOpen) this.#showDetails();
  }

  /**
   * Shows a photo of the grid; it grows out of its tile.
   * @param {number} ordinal
   */
  open(ordinal) {
    const photo = this.#photos.at(ordinal);
    if (!photo || this.isOpen) return;
    history.pushState({ viewer: true }, "", photoPage(this.#album.id, photo.id, this.#source.query));
    this.#isPushed = true;
    this.#appear(ordinal);
  }

  /**
   * Shows the photo that the page's own address names, over an album that is still loading.
   * @param {string} id
   */
  async openFirst(id) {
    let ordinal = this.#photos.find(id);
    if (ordinal < 0) ordinal = await this.#search(id);
    if (ordinal < 0) {
      history.replaceState(null, "", albumPage(this.#album.id));
      document.body.dataset.page = "album";
      notice("This photo is not here any more.");
      return;
    }
    this.#isPushed = false;
    this.#appear(ordinal);
  }

  /** Goes back to the grid. */
  close() {
    if (!this.isOpen || this.#isLeaving) return;
    if (this.#isPushed) {
      history.back();
    } else {
      history.replaceState(null, "", albumPage(this.#album.id, this.#source.query));
      this.#disappear();
    }
  }

  /** The album changed, or more of it is loaded. */
  refresh() {
    if (!this.isOpen || this.#isLeaving) return;
    const here = this.#photos.at(this.#ordinal);
    if (here?.key === this.#key) {
      this.#show(this.#ordinal);
      return;
    }
    const month = this.#photos.months.find((candidate) => candidate.photos?.some((photo) => photo.key === this.#key));
    const place = month?.photos.findIndex((photo) => photo.key === this.#key) ?? -1;
    if (place >= 0) {
      this.#show(month.first + place);
    } else if (this.#photos.count === 0) {
      this.close();
    } else {
      notice("That photo was taken back.");
      this.#go(Math.min(this.#ordinal, this.#photos.count - 1));
    }
  }

  /**
   * Somebody wrote about a photo.
   * @param {{photo: string}} event
   */
  wordsChanged({ photo }) {
    this.#details.delete(photo);
    if (this.isOpen && this.#stage.current?.id === photo) this.#showDetails();
  }

  get #photos() {
    return this.#grid.photos;
  }

  // The page's parts

  #make() {
    const button = (name, label, press, fills) => make(
      "button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: press },
      icon(name, fills ? "icon-fills" : ""),
    );
    this.titles = make("div", { class: "top-titles", "aria-live": "polite" }, make("h1", {}), make("p", {}));
    this.favourite = button("heart", "Favourite", () => this.#toggleFavourite(), true);
    this.moving = button("live", "Play the moving part", () => this.#stage.current?.playMoving());
    const { before, after, about, original } = this.#words;
    this.about = button(about.icon, about.label, () => this.#togglePanel());
    this.download = make(
      "a",
      {
        class: "icon-button", "aria-label": original.label, title: original.label, ...original.attributes,
        onclick: (event) => this.#takeHome(event),
      },
      icon(original.icon),
    );
    this.favourite.hidden = true;
    this.download.hidden = true;
    this.head = make(
      "header", { class: "viewer-head" }, button("back", "Back to the album", () => this.close()), this.titles,
      this.moving, this.favourite, this.about, this.download,
    );
    const step = (name, label, direction, className) => make(
      "button",
      { type: "button", class: `viewer-step ${className}`, "aria-label": label, onclick: () => this.#stage.step(direction) },
      icon(name),
    );
    this.newer = step("left", before, -1, "viewer-newer");
    this.older = step("right", after, 1, "viewer-older");
    this.caption = make("p", { class: "viewer-caption", hidden: true });
    this.foot = make("footer", { class: "viewer-foot" }, this.caption, this.#strip.element);
    this.view = make("div", { class: "viewer-view", tabindex: "-1" }, this.#stage.element, this.head, this.newer, this.older, this.foot);
    this.dialog = make("dialog", { class: "viewer", "aria-label": "Photo" }, this.view, this.#panel.element);
    document.body.append(this.dialog);
  }

  #listen() {
    addEventListener("popstate", () => this.#followAddress());
    addEventListener("resize", () => this.isOpen && this.#layOut());
    this.dialog.addEventListener("cancel", (event) => {
      // A second Escape without a touch or a key in between closes it whatever is said here; "close" then follows.
      if (!event.cancelable) return;
      event.preventDefault();
      if (this.#panel.isOpen) this.#panel.close();
      else this.close();
    });
    // The browser may close it by itself, such as by the back gesture of some phones.
    this.dialog.addEventListener("close", () => {
      if (document.body.dataset.page === "viewer") this.#closedByBrowser();
    });
    this.dialog.addEventListener("keydown", (event) => this.#keyPressed(event));
    this.dialog.addEventListener("focusin", () => this.#wake());
    this.dialog.addEventListener("pointerdown", (event) => {
      // A finger on the picture may be a tap that hides or shows the controls.
      if (event.pointerType === "mouse" || !this.#stage.element.contains(event.target)) this.#wake();
    });
    this.#stage.addEventListener("awake", () => this.#wake());
    this.#stage.addEventListener("tap", () => this.#toggleControls());
    this.#stage.addEventListener("step", ({ detail }) => this.#go(this.#ordinal + detail.direction));
    this.#stage.addEventListener("lift", () => this.#panel.open());
    this.#stage.addEventListener("dismiss", () => this.close());
    this.#stage.addEventListener("drag", ({ detail }) => this.#dragged(detail.share));
    this.#panel.addEventListener("toggled", () => this.#panelToggled());
    this.#panel.addEventListener("remove", () => this.#remove());
    this.#panel.addEventListener("changed", () => this.wordsChanged({ photo: this.#stage.current.id }));
  }

  // Coming and going

  #appear(ordinal) {
    const tile = this.#grid.tileOf(ordinal);
    const place = tile?.getBoundingClientRect();
    document.body.dataset.page = "viewer";
    this.dialog.showModal();
    this.view.focus({ preventScroll: true });
    this.dialog.style.removeProperty("background-color");
    this.#show(ordinal);
    this.#wake();
    move(this.dialog, [{ backgroundColor: "rgb(0 0 0 / 0%)" }, { backgroundColor: "rgb(0 0 0)" }], 180);
    if (place) this.#stage.fly(place, true);
  }

  async #disappear() {
    this.#isLeaving = true;
    const ordinal = this.#ordinal;
    this.#panel.close();
    this.#grid.reveal(ordinal);
    const place = this.#grid.tileOf(ordinal)?.getBoundingClientRect();
    this.dialog.classList.add("viewer-bare");
    if (!isStill() && place) {
      const now = getComputedStyle(this.dialog).backgroundColor;
      this.dialog.style.backgroundColor = "transparent";
      move(this.dialog, [{ backgroundColor: now }, { backgroundColor: "rgb(0 0 0 / 0%)" }], 200);
      await this.#stage.fly(place, false);
    }
    this.#isLeaving = false;
    document.body.dataset.page = "album";
    this.dialog.close();
    this.#end();
    this.#grid.focus(ordinal);
  }

  #end() {
    clearTimeout(this.#fadeTimer);
    this.#stage.clear();
    this.#strip.clear();
    this.dialog.classList.remove("viewer-bare");
    this.view.classList.remove("viewer-dragged", "viewer-faded");
    this.dialog.style.removeProperty("background-color");
    this.#key = null;
    this.#isPushed = false;
  }

  #closedByBrowser() {
    document.body.dataset.page = "album";
    const isPushed = this.#isPushed;
    this.#panel.close();
    this.#end();
    if (isPushed) history.back();
    else history.replaceState(null, "", albumPage(this.#album.id, this.#source.query));
  }

  /** Back and forward of the browser. */
  #followAddress() {
    const id = photoOfPage(location);
    if (id === null) {
      if (this.isOpen && !this.#isLeaving) this.#disappear();
      return;
    }
    const ordinal = this.#photos?.find(id) ?? -1;
    if (ordinal < 0) return;
    if (this.isOpen) {
      this.#show(ordinal);
    } else {
      this.#isPushed = true;
      this.#appear(ordinal);
    }
  }

  /** A photo of a month that is not loaded: its day says where it is. */
  async #search(id) {
    const taken = await this.#ask(id).then((details) => details.taken?.slice(0, 7) ?? "undated", () => "");
    if (taken === "") return -1;
    const months = this.#photos.months;
    const likely = months.findIndex((month) => month.month === taken);
    for (const index of new Set([likely, likely - 1, likely + 1, months.length - 1])) {
      if (!months[index]) continue;
      await this.#source.loadMonth(index).catch(() => {});
      const ordinal = this.#photos.find(id);
      if (ordinal >= 0) return ordinal;
    }
    return -1;
  }

  // One photo

  #go(ordinal) {
    const photo = this.#photos.at(ordinal);
    if (!photo) return;
    history.replaceState({ viewer: true }, "", photoPage(this.#album.id, photo.id, this.#source.query));
    this.#show(ordinal);
  }

  #show(ordinal) {
    const photo = this.#photos.at(ordinal);
    const isOther = photo.key !== this.#key;
    this.#ordinal = ordinal;
    this.#key = photo.key;
    const items = [ordinal - 1, ordinal, ordinal + 1].map((other) => this.#item(other));
    this.#stage.show(items);
    this.#strip.show(this.#photos, ordinal);
    this.#loadAround(ordinal);
    this.newer.hidden = !items[0];
    this.older.hidden = !items[2];
    this.moving.hidden = !photo.has(flag.moving) || photo.has(flag.video);
    this.favourite.setAttribute("aria-pressed", String(photo.has(flag.mine)));
    const original = originalAddress(photo.id, true);
    this.download.href = original;
    this.download.hidden = original === "" || !this.#person?.may.includes("take");
    if (!isOther) return;
    this.#describe(photo);
    this.#showDetails();
    this.#onShown(photo);
  }

  #item(ordinal) {
    const photo = this.#photos.at(ordinal);
    return photo ? { photo, ordinal, month: this.#monthOf(ordinal).month } : null;
  }

  #monthOf(ordinal) {
    return this.#photos.months[this.#photos.monthOf(ordinal)];
  }

  /** The months of the strip's ends, so that nobody runs into a wall. */
  #loadAround(ordinal) {
    for (const other of [ordinal + 1, ordinal - 1, ordinal + 20, ordinal - 20]) {
      const index = this.#photos.monthOf(other);
      // The stream of events and the next step ask again.
      if (index >= 0 && !this.#photos.months[index].photos) this.#source.loadMonth(index).catch(() => {});
    }
  }

  #describe(photo) {
    const [title, under] = this.titles.children;
    title.textContent = describe(photo, this.#monthOf(this.#ordinal).month).replace(/^[^,]*, /, "");
    under.textContent = "";
    this.caption.hidden = true;
    document.title = `${title.textContent} – ${this.#album.name}`;
  }

  async #showDetails() {
    const slide = this.#stage.current;
    if (!slide) return;
    if (!this.#details.has(slide.id) && this.#panel.photo !== slide.id) this.#panel.show(null);
    let details;
    try {
      details = await this.#ask(slide.id);
    } catch {
      // The picture is what counts; its words come with the next look.
      return;
    }
    if (this.#stage.current !== slide) return;
    slide.details = details;
    this.#panel.show(details);
    const [title, under] = this.titles.children;
    title.textContent = takenName(details.taken, innerWidth < 700) || title.textContent;
    under.textContent = details.by ?? "";
    this.caption.textContent = details.caption ?? "";
    this.caption.hidden = !details.caption;
    const comments = details.comments?.length ?? 0;
    this.about.classList.toggle("has-comments", comments > 0);
    this.about.dataset.count = comments > 0 ? String(comments) : "";
  }

  async #ask(id) {
    const known = this.#details.get(id);
    if (known) return known;
    const details = await request(address(["albums", this.#album.id, "photos", id]));
    if (this.#details.size > 200) this.#details.clear();
    this.#details.set(id, details);
    return details;
  }

  // What people do

  async #toggleFavourite() {
    const ordinal = this.#ordinal;
    const photo = this.#photos.at(ordinal);
    const isOn = !photo.has(flag.mine);
    const set = (isSet) => {
      const now = this.#photos.find(photo.id);
      if (now < 0) return;
      this.#photos.replace(now, this.#photos.at(now).with(flag.mine, isSet));
      this.#grid.renew(now);
      if (this.#key === photo.key) this.favourite.setAttribute("aria-pressed", String(isSet));
    };
    set(isOn);
    if (isOn) {
      const beat = [{ transform: "scale(0.7)" }, { transform: "scale(1.2)" }, { transform: "none" }];
      move(this.favourite.firstElementChild, beat, 200);
    }
    try {
      const url = wordsAddress(this.#album.id, await this.#ask(photo.id), "favourite");
      await request(url, { method: isOn ? "PUT" : "DELETE" });
      this.#details.delete(photo.id);
    } catch (error) {
      set(!isOn);
      notice(error.message, { isUrgent: true });
    }
  }

  /** iPhones save pictures by a long press alone, and only what they show: they get the original to press on. */
  async #takeHome(event) {
    const isPhoneOfApple = "ongesturestart" in window && navigator.maxTouchPoints > 0;
    const slide = this.#stage.current;
    if (!isPhoneOfApple || !slide || slide.isVideo) return;
    event.preventDefault();
    const isThere = await slide.showOriginal();
    notice(isThere
      ? "Hold a finger on the picture, then choose “Save to Photos”."
      : "The original is not here yet. What you see is a smaller copy; try again in a moment.");
  }

  async #remove() {
    const id = this.#stage.current.id;
    const isSure = await confirm(
      "Take this photo back?", "It disappears from the album, on all laptops. What others took home stays theirs.",
      "Take it back",
    );
    if (!isSure) return;
    try {
      await request(wordsAddress(this.#album.id, await this.#ask(id)), { method: "DELETE" });
      this.#source.changed();
    } catch (error) {
      notice(error.message, { isUrgent: true });
    }
  }

  #keyPressed(event) {
    if (event.target.closest("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => this.#stepByKey(-1), ArrowRight: () => this.#stepByKey(1), "+": () => this.#stage.zoomBy(1.5),
      "=": () => this.#stage.zoomBy(1.5), "-": () => this.#stage.zoomBy(1 / 1.5), 0: () => this.#stage.unzoom(),
      f: () => !this.favourite.hidden && this.#toggleFavourite(), i: () => this.#togglePanel(), c: () => this.#panel.write(),
      d: () => !this.download.hidden && this.download.click(),
    };
    const action = actions[event.key];
    // A video's own keys seek.
    if (!action || (event.target instanceof HTMLVideoElement && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    this.#wake();
    action();
  }

  #stepByKey(direction) {
    // A control that kept the focus would keep all controls from fading.
    this.view.focus({ preventScroll: true });
    this.#stage.step(direction);
  }

  // Controls

  #togglePanel() {
    if (this.#panel.isOpen) this.#panel.close();
    else this.#panel.open();
  }

  #panelToggled() {
    this.dialog.classList.toggle("viewer-with-panel", this.#panel.isOpen);
    this.about.setAttribute("aria-expanded", String(this.#panel.isOpen));
    if (!this.isOpen) return;
    this.#layOut();
    if (!this.#panel.isOpen && !this.#isLeaving) this.about.focus({ preventScroll: true });
    this.#wake();
  }

  #layOut() {
    this.#stage.layOut();
    this.#strip.show(this.#photos, this.#ordinal);
  }

  #wake() {
    this.view.classList.remove("viewer-faded");
    clearTimeout(this.#fadeTimer);
    this.#fadeTimer = setTimeout(() => this.#fade(), fadeMilliseconds);
  }

  #fade() {
    const isByKeyboard = this.dialog.querySelector(".viewer-view :focus-visible") !== null;
    if (!isByKeyboard && !this.#panel.isOpen) this.view.classList.add("viewer-faded");
  }

  #toggleControls() {
    if (!this.view.classList.contains("viewer-faded")) {
      clearTimeout(this.#fadeTimer);
      this.view.classList.add("viewer-faded");
    } else {
      this.#wake();
    }
  }

  #dragged(share) {
    this.view.classList.toggle("viewer-dragged", share > 0);
    this.dialog.style.backgroundColor = share > 0 ? `rgb(0 0 0 / ${Math.round(100 - share * 70)}%)` : "";
  }
}
