/**
 * Choosing many photos: by the button in the head, by a long press, or with Shift for all between two.
 */

import { wordsAddress } from "../shared/addresses.js";
import { address, request } from "../shared/api.js";
import { confirm } from "../shared/dialog.js";
import { make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { notice } from "../shared/notice.js";
import { count, plural } from "../shared/words.js";
import { flag } from "./photos.js";
import { removalOrders, removalWords, undoOrders } from "./removal.js";
import { takeHome } from "./take-home.js";

const longPressMilliseconds = 450;
const longPressDistance = 10;
const atOnce = 3;

export class Selection {
  #album;
  #grid;
  #head;
  #source;
  #chosen = new Map();
  #isOn = false;
  #anchor = null;
  #press = null;
  #justPressed = false;

  /**
   * @param {{album: {id: string, name: string}, grid: import("./grid.js").Grid, head: HTMLElement,
   *   source: import("./album-source.js").AlbumSource}} options
   */
  constructor({ album, grid, head, source }) {
    this.#album = album;
    this.#grid = grid;
    this.#head = head;
    this.#source = source;
    this.#make();
    this.#listen();
    this.#grid.decorate = (tile, photo) => this.#decorate(tile, photo);
  }

  /** Who looks, from `GET /me`. */
  set person(person) {
    this.download.hidden = !person.may.includes("take");
    this.open.hidden = !person.may.includes("take") && !person.may.includes("talk");
    this.take.hidden = !person.may.includes("take");
    this.like.hidden = !person.may.includes("talk");
    // Guests take back their own in the viewer, one by one.
    this.remove.hidden = !person.may.includes("manage");
  }

  /** Chooses nothing any more. */
  clear() {
    this.#chosen.clear();
    this.#turn(false);
  }

  /** The album changed: photos that are gone are not chosen any more. */
  refresh() {
    if (!this.#isOn) return;
    for (const id of [...this.#chosen.keys()]) {
      const isLoaded = this.#grid.photos.find(id) >= 0;
      const isKnownGone = !isLoaded && this.#grid.photos.months.every((month) => month.photos);
      if (isKnownGone) this.#chosen.delete(id);
    }
    this.#update();
  }

  #make() {
    const button = (name, label, press) => make(
      "button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: press }, icon(name),
    );
    this.download = button("download", "Take home", () => takeHome(this.#album, this.#taking([])));
    this.open = button("chosen", "Choose photos", () => this.#turn(true));
    for (const control of [this.download, this.open]) {
      control.hidden = true;
      control.classList.add("for-found");
    }
    this.words = make("p", { class: "selection-words", role: "status" });
    this.take = button("download", "Take the chosen photos home", () => this.#takeHome());
    this.like = button("heart", "Make the chosen photos favourites", () => this.#likeAll());
    this.remove = button("trash", "Remove the chosen photos", () => this.#removeAll());
    this.remove.hidden = true;
    this.bar = make(
      "div", { class: "selection", role: "toolbar", "aria-label": "Chosen photos", hidden: true },
      button("close", "Choose nothing", () => this.clear()), this.words, this.like, this.take, this.remove,
    );
    this.#head.append(this.open, this.download, this.bar);
  }

  #listen() {
    const photos = document.getElementById("photos");
    // Before the click opens the viewer.
    photos.addEventListener("click", (event) => this.#clicked(event), true);
    photos.addEventListener("pointerdown", (event) => this.#pressed(event));
    photos.addEventListener("pointermove", (event) => this.#moved(event));
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) photos.addEventListener(kind, () => this.#released());
    photos.addEventListener("contextmenu", (event) => {
      // A finger that rests on a photo chooses it; a mouse's menu stays.
      if (this.#press || this.#justPressed) event.preventDefault();
    });
    photos.addEventListener("keydown", (event) => this.#keyPressed(event));
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#isOn && !document.querySelector("dialog[open]")) this.clear();
    });
  }

  #clicked(event) {
    const ordinal = this.#grid.ordinalAt(event.target);
    if (ordinal < 0) return;
    if (this.#justPressed) {
      // The finger that chose by resting is lifted.
      this.#justPressed = false;
      event.preventDefault();
      return;
    }
    const isRange = event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (!this.#isOn && !isRange) return;
    event.preventDefault();
    if (isRange && this.#anchor !== null) this.#chooseRange(ordinal);
    else this.#toggle(ordinal);
  }

  #keyPressed(event) {
    const ordinal = this.#grid.ordinalAt(event.target);
    if (ordinal < 0 || (event.key !== " " && event.key !== "x")) return;
    event.preventDefault();
    this.#toggle(ordinal);
  }

  #pressed(event) {
    this.#justPressed = false;
    const ordinal = this.#grid.ordinalAt(event.target);
    if (ordinal < 0 || event.pointerType === "mouse" || this.open.hidden) return;
    const timer = setTimeout(() => {
      this.#press = null;
      this.#justPressed = true;
      navigator.vibrate?.(10);
      if (!this.#chosen.has(this.#grid.photos.at(ordinal)?.id)) this.#toggle(ordinal);
    }, longPressMilliseconds);
    this.#press = { timer, x: event.clientX, y: event.clientY };
  }

  #moved(event) {
    const press = this.#press;
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > longPressDistance) this.#released();
  }

  #released() {
    clearTimeout(this.#press?.timer);
    this.#press = null;
  }

  #toggle(ordinal) {
    const id = this.#grid.photos.at(ordinal)?.id;
    if (!id) return;
    if (this.#chosen.has(id)) this.#chosen.delete(id);
    else this.#chosen.set(id, ordinal);
    this.#anchor = id;
    this.#turn(true);
  }

  /** All photos between the last one and this one, as far as they are loaded. */
  #chooseRange(ordinal) {
    const start = this.#grid.photos.find(this.#anchor);
    if (start < 0) {
      this.#toggle(ordinal);
      return;
    }
    let missing = 0;
    for (let other = Math.min(start, ordinal); other <= Math.max(start, ordinal); other += 1) {
      const id = this.#grid.photos.at(other)?.id;
      if (id) this.#chosen.set(id, other);
      else missing += 1;
    }
    if (missing > 0) notice(`${plural(missing, "photo")} between them are not loaded yet. Scroll over them, then choose again.`);
    this.#turn(true);
  }

  #turn(isOn) {
    this.#isOn = isOn;
    if (!isOn) this.#anchor = null;
    document.body.classList.toggle("selecting", isOn);
    this.#head.classList.toggle("choosing", isOn);
    this.bar.hidden = !isOn;
    this.#update();
  }

  #update() {
    const number = this.#chosen.size;
    this.words.textContent = number === 0 ? "Choose photos" : `${count(number)} chosen`;
    this.take.disabled = number === 0;
    this.like.disabled = number === 0;
    this.remove.disabled = number === 0;
    this.#grid.redecorate();
  }

  #decorate(tile, photo) {
    if (!this.#isOn) {
      if (!tile.hasAttribute("role")) return;
      tile.removeAttribute("role");
      tile.removeAttribute("aria-checked");
      return;
    }
    tile.setAttribute("role", "checkbox");
    tile.setAttribute("aria-checked", String(this.#chosen.has(photo.id)));
  }

  async #takeHome() {
    if (await takeHome(this.#album, this.#taking([...this.#chosen.keys()]))) this.clear();
  }

  #taking(photos) {
    const filters = Object.fromEntries(new URLSearchParams(this.#source.query));
    return { photos, filters, count: this.#source.photos?.count ?? 0 };
  }

  async #likeAll() {
    const ids = [...this.#chosen.keys()];
    this.clear();
    let failed = null;
    const work = async () => {
      for (let id = ids.shift(); id !== undefined && !failed; id = ids.shift()) {
        try {
          await this.#like(id);
        } catch (error) {
          failed = error;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (failed) notice(failed.message, { isUrgent: true });
    this.#source.changed();
  }

  async #removeAll() {
    const ids = [...this.#chosen.keys()];
    const isSure = await confirm(
      `Remove ${plural(ids.length, "photo")}?`,
      "Those that this laptop added leave the album on every laptop; the others are hidden here. They can be brought back.",
      "Remove");
    if (!isSure) return;
    const reports = [];
    try {
      const photos = [];
      for (const id of ids) photos.push({ id, album: (await this.#placeOf(id)).album_id ?? this.#album.id });
      for (const order of removalOrders(photos)) reports.push(await removal(order));
      this.clear();
    } catch (error) {
      notice(error.message, { isUrgent: true });
    }
    this.#source.changed();
    if (reports.length > 0) notice(removalWords(reports), { action: "Undo", onAction: () => this.#bringBack(reports) });
  }

  async #bringBack(reports) {
    try {
      for (const order of undoOrders(reports)) await removal(order);
    } catch (error) {
      notice(error.message, { isUrgent: true });
    }
    this.#source.changed();
  }

  /** A photo as far as its address needs it: on a page of all albums the laptop knows its album. */
  async #placeOf(id) {
    return this.#album.id === "all" ? request(address(["albums", "all", "photos", id])) : { id };
  }

  async #like(id) {
    const details = await this.#placeOf(id);
    await request(wordsAddress(this.#album.id, details, "favourite"), { method: "PUT" });
    const photos = this.#grid.photos;
    const ordinal = photos.find(id);
    if (ordinal < 0) return;
    photos.replace(ordinal, photos.at(ordinal).with(flag.mine, true));
    this.#grid.renew(ordinal);
  }
}

function removal(order) {
  return request(address(["remove"]), { method: "POST", body: order });
}
