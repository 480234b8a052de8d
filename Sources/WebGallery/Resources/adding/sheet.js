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
/** The choice of an album that is to be made; no identifier looks like it. */
const NEW_ALBUM = "new";
const ALBUM_NAME_LENGTH_MAX = 250;

/**
 * Puts the + button, the sheet and the bar into the page, for a person who may add.
 *
 * @param {{album: {id: string, name: string} | null, fileBytesMax: number, mayMake: boolean,
 *   onAdded?: (photo: string, album: string) => void}} options `album` is `null` where the person chooses one,
 *   or makes one if that is allowed.
 * @returns {{open: () => void, setAlbum: (album: {id: string, name: string} | null) => void,
 *   unfinished: () => number, close: () => void}}
 */
export function mountAdding({ album, fileBytesMax, mayMake, onAdded = () => {} }) {
  const adding = new Adding(album, fileBytesMax, mayMake, onAdded);
  return {
    open: () => adding.open(),
    setAlbum: (other) => adding.setAlbum(other),
    unfinished: () => adding.uploader.unfinishedCount,
    close: () => adding.close(),
  };
}

class Adding {
  #album;
  #mayMake;
  #albums = [];
  /** Whether the laptop has said which albums there are. */
  #isLoaded = false;
  /** Files that were dropped or pasted before an album was chosen. */
  #pending = [];
  #button = make("button", { type: "button", class: "add-button", "aria-label": "Add photos" }, icon("add"));
  #target = make("p", { class: "adding-target quiet" });
  #select = make("select", { class: "input", id: "adding-album", autocomplete: "off" });
  #field = make("div", { class: "field" }, make("label", { for: "adding-album" }, "Album"), this.#select);
  #newName = make("input", {
    class: "input", id: "adding-album-name", maxlength: ALBUM_NAME_LENGTH_MAX, autocomplete: "off",
    placeholder: "Sunday at the lake",
  });
  #newField = make(
    "div", { class: "field" }, make("label", { for: "adding-album-name" }, "Name of the new album"), this.#newName);
  #addPending = make("button", { type: "button", class: "button button-main button-wide" });
  #choices;
  #hint;
  #sheet;
  #veil = make("div", { class: "adding-veil", hidden: true }, make("p", {}));
  #bar;
  #endings = [];

  constructor(album, fileBytesMax, mayMake, onAdded) {
    this.#album = album;
    this.#mayMake = mayMake;
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
    this.#sheet = makeSheet("Add photos", this.#target, this.#field, this.#newField, this.#addPending, this.#choices, this.#hint);
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
    this.#newName.addEventListener("input", () => this.#show());
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

  get #isMaking() {
    return this.#album === null && this.#mayMake && this.#isLoaded
      && (this.#albums.length === 0 || this.#select.value === NEW_ALBUM);
  }

  /** The album that files go to; `id` is `null` for one that is to be made. */
  get #chosenAlbum() {
    if (this.#isMaking) {
      const name = this.#newName.value.trim();
      return name === "" ? null : { id: null, name };
    }
    return this.#album ?? this.#albums.find((album) => album.id === this.#select.value) ?? null;
  }

  #show() {
    const album = this.#chosenAlbum;
    this.#field.hidden = this.#album !== null || this.#albums.length === 0;
    this.#newField.hidden = !this.#isMaking;
    const isReady = album !== null;
    this.#target.textContent = this.#targetWords;
    this.#choices.hidden = !isReady || this.#pending.length > 0;
    this.#hint.hidden = this.#choices.hidden;
    this.#addPending.hidden = this.#pending.length === 0 || !isReady;
    this.#addPending.textContent = `Add ${plural(this.#pending.length, "file")}`;
  }

  get #targetWords() {
    if (this.#album !== null) return `To “${this.#album.name}”. Everybody here sees what you add.`;
    if (!this.#isLoaded) return "Looking for albums…";
    if (this.#isMaking) return "Give the new album a name. Everybody here sees it, and what you add.";
    return this.#albums.length > 0
      ? "Everybody here sees what you add." : "There is no album yet. Ask the laptop's owner to make one.";
  }

  async #loadAlbums() {
    try {
      const { albums } = await request(address(["albums"]));
      const before = this.#select.value || recall(LAST_ALBUM, "");
      this.#albums = albums;
      this.#isLoaded = true;
      fill(
        this.#select, albums.map(({ id, name }) => make("option", { value: id, selected: id === before }, name)),
        this.#mayMake && make("option", { value: NEW_ALBUM, selected: before === NEW_ALBUM }, "New album…"));
      this.#show();
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

  async #take(files) {
    const album = this.#chosenAlbum;
    if (files.length === 0 || album === null) return;
    this.#pending = [];
    let id;
    try {
      id = album.id ?? await newAlbumID(album.name);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The files stay for another attempt, with another name perhaps.
      this.#pending = files;
      this.#show();
      this.#target.textContent = error.message;
      return;
    }
    remember(LAST_ALBUM, id);
    this.uploader.add(files, id, album.id === null ? album.name : null);
    this.#newName.value = "";
    this.#select.value = id;
    this.#sheet.close("");
  }

  #hover(isHovering) {
    this.#veil.hidden = !isHovering;
    if (!isHovering) return;
    const words = this.#album === null ? "Drop to add" : `Drop to add to “${this.#album.name}”`;
    this.#veil.firstElementChild.textContent = words;
  }
}

/** The identifier of the album that a name means: it is made with its first photo. */
async function newAlbumID(name) {
  const { album } = await request(address(["uploads", "known"]), { method: "POST", body: { album_name: name, files: [] } });
  return album;
}
