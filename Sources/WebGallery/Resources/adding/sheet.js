// The + button, its sheet with the ways to pick files, and the bar that shows how far they are.

import { ApiError, address, request } from "../shared/api.js";
import { makeSheet, showDialog } from "../shared/dialog.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { live } from "../shared/live.js";
import { notice } from "../shared/notice.js";
import { recall, remember } from "../shared/store.js";
import { plural } from "../shared/words.js";
import { UploadBar } from "./bar.js";
import { listenForDrops } from "./drop.js";
import { Uploader } from "./uploader.js";

/** With these types phones offer their photo library; some then hand over the HEIC, others a JPEG. */
const PHOTO_TYPES = "image/heic,image/heif,image/jpeg,image/png,image/webp,image/avif,video/*";
const LAST_ALBUM = "last-album";

/**
 * Puts the + button, the sheet and the bar into the page, for a person who may add.
 *
 * @param {{album: {id: string, name: string} | null, fileBytesMax: number,
 *   onAdded?: (photo: string, album: string) => void}} options `album` is `null` where the person chooses one.
 * @returns {{open: () => void, setAlbum: (album: {id: string, name: string} | null) => void,
 *   unfinished: () => number, close: () => void}}
 */
export function mountAdding({ album, fileBytesMax, onAdded = () => {} }) {
  const adding = new Adding(album, fileBytesMax, onAdded);
  return {
    open: () => adding.open(),
    setAlbum: (other) => adding.setAlbum(other),
    unfinished: () => adding.uploader.unfinishedCount,
    close: () => adding.close(),
  };
}

class Adding {
  #album;
  #albums = [];
  /** Files that were dropped or pasted before an album was chosen. */
  #pending = [];
  #button = make("button", { type: "button", class: "add-button", "aria-label": "Add photos" }, icon("add"));
  #target = make("p", { class: "adding-target quiet" });
  #select = make("select", { class: "input", id: "adding-album", autocomplete: "off" });
  #field = make("div", { class: "field" }, make("label", { for: "adding-album" }, "Album"), this.#select);
  #addPending = make("button", { type: "button", class: "button button-main button-wide" });
  #choices;
  #hint;
  #sheet;
  #veil = make("div", { class: "adding-veil", hidden: true }, make("p", {}));
  #bar;
  #endings = [];

  constructor(album, fileBytesMax, onAdded) {
    this.#album = album;
    this.uploader = new Uploader({ fileBytesMax });
    const isPhone = matchMedia("(pointer: coarse)").matches;
    this.#choices = make(
      "div", { class: "choices adding-choices" },
      this.#choice(
        "photos", "photo", "Photos", isPhone ? "From the photo library" : "Photos and videos alone",
        { accept: PHOTO_TYPES, multiple: true }),
      this.#choice(
        "files", "file", "Files", isPhone ? "The original files, where the phone gives them out" : "Any files, such as raw photos",
        { multiple: true }),
      isPhone
        && this.#choice("camera", "camera", "Camera", "Take a photo now", { accept: "image/*", capture: "environment" }),
    );
    this.#hint = make(
      "p", { class: "adding-hint small quiet" },
      isPhone
        ? "Phones may convert photos and leave out the place. In the iPhone's picker, tap Options to choose; Files hands "
          + "over the original on most phones. The list shows what arrived."
        : "You can also drop files and folders onto this page, or paste a picture.",
    );
    this.#sheet = makeSheet("Add photos", this.#target, this.#field, this.#addPending, this.#choices, this.#hint);
    this.#sheet.classList.add("adding-sheet");
    this.#bar = new UploadBar(this.uploader, { onPick: () => this.open() });
    document.body.append(this.#button, this.#sheet, this.#veil, ...this.#bar.elements);
    this.#listen(onAdded);
    this.#show();
  }

  async open() {
    this.#show();
    if (this.#album === null) this.#loadAlbums();
    if (!this.#sheet.open) await showDialog(this.#sheet, { keep: true });
    this.#pending = [];
  }

  setAlbum(album) {
    this.#album = album;
    this.#show();
  }

  close() {
    for (const end of this.#endings) end();
    this.#sheet.close();
    for (const element of [this.#button, this.#sheet, this.#veil, ...this.#bar.elements]) element.remove();
    this.#bar.close();
  }

  #listen(onAdded) {
    this.#button.addEventListener("click", () => this.open());
    this.#select.addEventListener("change", () => this.#show());
    this.#addPending.addEventListener("click", () => this.#take(this.#pending));
    this.uploader.addEventListener("added", ({ detail }) => onAdded(detail.photo, detail.album));
    this.uploader.addEventListener("problem", ({ detail }) => notice(detail.message, { isUrgent: true }));
    this.#endings = [
      listenForDrops({
        onFiles: (files) => this.#dropped(files),
        onHover: (isHovering) => this.#hover(isHovering),
      }),
      live.on("open", () => this.uploader.wake()),
      live.on("session.ended", () => this.uploader.suspend()),
    ];
  }

  /** A row of the sheet that is a file input all over: taps, keys and screen readers meet the browser's own control. */
  #choice(source, iconName, title, explanation, attributes) {
    const id = `adding-${source}`;
    const input = make("input", {
      type: "file", id, class: "adding-input", dataset: { source }, "aria-describedby": `${id}-words`, ...attributes,
    });
    input.addEventListener("change", () => {
      const files = [...input.files];
      // The same files may be picked once more.
      input.value = "";
      this.#take(files);
    });
    return make(
      "div", { class: "choice adding-choice" }, icon(iconName),
      make("span", {}, make("label", { for: id }, title), make("small", { id: `${id}-words` }, explanation)), input,
    );
  }

  get #chosenAlbum() {
    return this.#album ?? this.#albums.find((album) => album.id === this.#select.value) ?? null;
  }

  #show() {
    const album = this.#chosenAlbum;
    this.#field.hidden = this.#album !== null || this.#albums.length === 0;
    const isReady = album !== null;
    this.#target.textContent = this.#album !== null
      ? `To “${this.#album.name}”. Everybody here sees what you add.`
      : this.#albums.length > 0 ? "Everybody here sees what you add." : "Looking for albums…";
    this.#choices.hidden = !isReady || this.#pending.length > 0;
    this.#hint.hidden = this.#choices.hidden;
    this.#addPending.hidden = this.#pending.length === 0 || !isReady;
    this.#addPending.textContent = `Add ${plural(this.#pending.length, "file")}`;
  }

  async #loadAlbums() {
    try {
      const { albums } = await request(address(["albums"]));
      const before = this.#select.value || recall(LAST_ALBUM, "");
      this.#albums = albums;
      fill(this.#select, albums.map(({ id, name }) => make("option", { value: id, selected: id === before }, name)));
      this.#show();
      if (albums.length === 0) {
        this.#target.textContent = "There is no album yet. Ask the laptop's owner to make one.";
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#target.textContent = error.message;
    }
  }

  #dropped(files) {
    if (this.#album !== null) {
      this.#take(files);
      return;
    }
    this.open();
    this.#pending = files;
    this.#show();
  }

  #take(files) {
    const album = this.#chosenAlbum;
    if (files.length === 0 || album === null) return;
    remember(LAST_ALBUM, album.id);
    this.uploader.add(files, album.id);
    this.#pending = [];
    this.#sheet.close("");
  }

  #hover(isHovering) {
    this.#veil.hidden = !isHovering;
    if (!isHovering) return;
    const words = this.#album === null ? "Drop to add" : `Drop to add to “${this.#album.name}”`;
    this.#veil.firstElementChild.textContent = words;
  }
}
