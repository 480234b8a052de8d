/**
 * The page of an album, in the browser: puts the parts together.
 */

import { fill, make, need } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { live } from "../shared/live.js";
import { notice } from "../shared/notice.js";
import { leaveWhenSessionEnds, me } from "../shared/session.js";
import { plural } from "../shared/words.js";
import { AlbumSource } from "./album-source.js";
import { Filters } from "./filters.js";
import { Grid } from "./grid.js";
import { Newcomers, compare } from "./newcomers.js";
import { startServices } from "./page-services.js";
import { addRecent, noteCount } from "./recent.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./selection.js";
import { Viewer } from "./viewer.js";

const main = need("#main");
const album = { id: main.dataset.album, name: main.dataset.name };
const head = need("#head");

class AlbumPage {
  source = new AlbumSource(album.id);
  grid = new Grid(need("#photos"), { album: album.id, load: (month) => this.source.loadMonth(month) });
  scrubber = new Scrubber(this.grid);
  newcomers = new Newcomers(this.grid);
  viewer = new Viewer({ album, grid: this.grid, source: this.source, onShown: noteSeen });
  selection = new Selection({ album, grid: this.grid, head, source: this.source });
  filters = new Filters({ album, head, onChange: (query) => this.search(query) });

  async begin() {
    this.listen();
    live.start();
    await this.search(this.filters.query, { isFirst: true });
    if (main.dataset.photoId) await this.viewer.openFirst(main.dataset.photoId);
    const person = await me();
    this.viewer.person = person;
    this.selection.person = person;
    startServices({ person, album: album.id === "all" ? null : album, onAdded: () => this.source.changed() });
  }

  listen() {
    this.source.addEventListener("loaded", () => {
      this.grid.refresh();
      this.viewer.refresh();
    });
    this.source.addEventListener("changed", ({ detail }) => this.update(detail));
    this.grid.addEventListener("taken-over", () => document.querySelector("#pages")?.remove(), { once: true });
    for (const kind of ["photo.added", "photo.removed", "photo.here", "photo.changed", "album.changed"]) {
      live.on(kind, (event) => this.isOurs(event) && this.source.changed());
    }
    live.on("afresh", () => this.source.changed());
    live.on("open", () => {
      this.source.changed();
      this.grid.askForThumbnails();
    });
    for (const kind of ["thumbnail.ready", "photo.here", "photo.changed"]) {
      live.on(kind, ({ photo }) => this.grid.thumbnailReady(photo, kind === "thumbnail.ready"));
    }
    live.on("photo.changed", (event) => this.viewer.wordsChanged(event));
    leaveWhenSessionEnds(live);
    need("#photos").addEventListener("click", (event) => this.clicked(event));
  }

  isOurs(event) {
    return album.id === "all" || !event.album || event.album === album.id || event.album === album.name;
  }

  clicked(event) {
    const ordinal = this.grid.ordinalAt(event.target);
    if (ordinal < 0 || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.viewer.open(ordinal);
  }

  async search(query, { isFirst = false } = {}) {
    try {
      const photos = await this.source.open(query);
      if (!photos) return;
      if (!isFirst) this.viewer.close();
      this.selection.clear();
      this.newcomers.clear();
      this.grid.show(photos, { search: query });
      this.describe();
    } catch (error) {
      notice(error.message, { action: "Try again", onAction: () => this.search(query, { isFirst }) });
    }
  }

  update({ before, after }) {
    const found = compare(before, after);
    const isSeen = this.grid.isAtTop && !this.viewer.isOpen;
    this.grid.show(after, { stay: true, slide: isSeen });
    const isOnScreen = isSeen && (found.first < 0 || this.grid.tileOf(found.first));
    if (!isOnScreen) this.newcomers.add(found);
    this.viewer.refresh();
    this.selection.refresh();
    this.describe();
  }

  describe() {
    const { count } = this.source.photos;
    need("#summary").textContent = this.filters.isActive ? `${plural(count, "photo")} found` : plural(count, "photo");
    if (!this.filters.isActive) noteCount(album.id, count);
    this.scrubber.update();
    document.querySelector(".empty")?.remove();
    if (count === 0) this.showEmpty();
  }

  showEmpty() {
    document.querySelector("#pages")?.remove();
    if (!this.grid.photos || !need("#photos").classList.contains("grid")) fill(need("#photos"));
    const isSearch = this.filters.isActive;
    const box = make("div", { class: "empty" }, icon(isSearch ? "search" : "photo"));
    box.append(make("h2", {}, isSearch ? "Nothing found" : "No photos yet"));
    box.append(make("p", { class: "quiet" }, isSearch ? "Try fewer words, or another day." : "Tap + and add the first."));
    if (isSearch) {
      box.append(make("button", { type: "button", class: "button", onclick: () => this.filters.clear() }, "Show all photos"));
    }
    main.append(box);
  }
}

function noteSeen({ id, thumbnail, aspect }) {
  addRecent({ album: album.id, photo: id, thumbnail, aspect });
}

const page = new AlbumPage();
page.begin().catch((error) => notice(error.message));
