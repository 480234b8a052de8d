/**
 * The grid of an album: of all its rows only those near the view are in the page.
 *
 * Places are counted from the album's top. When photos above the view arrive and their height differs from its
 * estimate, everything below moves; the view must not. Setting the scroll position would stop a phone's momentum, so
 * the difference is taken up by `#shift`, which moves all rows against the page, and is put into the scroll position
 * once nothing scrolls any more.
 */

import { thumbnailAddress } from "../shared/addresses.js";
import { fill, make } from "../shared/elements.js";
import { isStill } from "../shared/motion.js";
import { LateThumbnails } from "./late-thumbnails.js";
import { layRun, planRuns } from "./layout.js";
import { MonthLoader } from "./month-loader.js";
import { Sections } from "./sections.js";
import { elementCount, makeLabel, makeTile, nameLabel } from "./tiles.js";

/** 600 elements are allowed in a page; the rest of it with the viewer in front takes some 200. */
const elementsMax = 380;
/** How far beyond the view rows are drawn and months loaded, in heights of the view. */
const reach = 1;
const idleMilliseconds = 150;

export class Grid extends EventTarget {
  #root;
  #layer;
  #album;
  #search = "";
  #photos = null;
  #sections = null;
  #frame = null;
  #loader;
  #shift = 0;
  #scrolledAt = 0;
  #lastY = 0;
  /** Where the page is scrolled to and where the grid begins in it, read once for a drawing: reading makes browsers lay
      out what was just written. */
  #y = 0;
  #top = 0;
  #headHeight = 0;
  #isDown = true;
  #isTouched = false;
  #isAsked = false;
  #target = null;
  #nodes = new Map();
  #focusKey = null;
  /** A photo that gets the focus as soon as its month is loaded. */
  #focusLater = -1;
  #decorate = () => {};
  #late = new LateThumbnails((image, photo) => reload(image, photo));

  /**
   * @param {HTMLElement} root is emptied once there is something to show instead
   * @param {{album: string, load: (month: number) => Promise<void>}} options `load` brings a month into the photos
   */
  constructor(root, { album, load }) {
    super();
    this.#root = root;
    this.#album = album;
    this.#layer = make("div", { class: "grid-layer" });
    this.#loader = new MonthLoader(load);
    addEventListener("scroll", () => this.#scrolled(), { passive: true });
    addEventListener("resize", () => this.#resized());
    addEventListener("touchstart", () => (this.#isTouched = true), { passive: true });
    for (const kind of ["touchend", "touchcancel"]) {
      addEventListener(kind, (event) => {
        this.#isTouched = event.touches.length > 0;
        this.#settleLater();
      }, { passive: true });
    }
    this.#layer.addEventListener("error", (event) => this.#imageFailed(event), true);
    this.#layer.addEventListener("load", (event) => this.#imageLoaded(event), true);
    this.#layer.addEventListener("keydown", (event) => this.#keyPressed(event));
    this.#layer.addEventListener("focusin", (event) => this.#focused(event));
  }

  /** The photos that are shown. */
  get photos() {
    return this.#photos;
  }

  /** Whether the person is at the album's top. */
  get isAtTop() {
    return scrollY < 120;
  }

  /** Whether all rows of the view are drawn. */
  get isReady() {
    if (!this.#sections || this.#sections.runs.length === 0) return true;
    const { from, to } = this.#view();
    const first = this.#sections.at(Math.max(0, from));
    const last = this.#sections.at(Math.max(0, to));
    for (let run = first; run <= last; run += 1) if (!this.#sections.rows(run)) return false;
    return true;
  }

  /** Whether the pictures of the view are there, as far as they come. */
  get isShown() {
    if (!this.isReady) return false;
    for (const { tile, element } of this.#nodes.values()) {
      if (!tile) continue;
      const image = element.firstElementChild;
      if (image.complete) continue;
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight) return false;
    }
    return true;
  }

  /** How a tile is shown besides its picture: called for every tile that is drawn. */
  set decorate(work) {
    this.#decorate = work;
    this.redecorate();
  }

  /** Calls `decorate` again for every tile in the page. */
  redecorate() {
    for (const { tile, photo, element } of this.#nodes.values()) if (tile) this.#decorate(element, photo);
  }

  /**
   * Shows photos.
   * @param {import("./photos.js").Photos} photos
   * @param {{search?: string, stay?: boolean, slide?: boolean}} [options] `stay` keeps the pictures in the view where
   *   they are; `slide` lets pictures move to their new places
   */
  show(photos, { search = this.#search, stay = false, slide = false } = {}) {
    const held = stay && !this.isAtTop ? this.#hold() : null;
    const before = slide && !isStill() ? this.#places() : null;
    if (search !== this.#search) this.#clear();
    this.#search = search;
    this.#photos = photos;
    this.#loader.reset();
    this.#plan();
    if (held) this.#restore(held);
    else if (!stay) {
      this.#shift = 0;
      this.#target = null;
      if (this.#root.contains(this.#layer)) this.#scrollPage(0);
    }
    this.#draw();
    if (before) this.#slide(before);
  }

  /** Draws again: photos have been loaded or changed. */
  refresh() {
    this.#ask();
  }

  /**
   * The laptop may have the small picture of a photo that it did not have before.
   * @param {string} photo its ID
   * @param {boolean} isCertain whether it is known to be the small picture that came
   */
  thumbnailReady(photo, isCertain) {
    this.#late.ready(photo, isCertain);
  }

  /** The laptop is back after a silence: small pictures that failed may be there. */
  askForThumbnails() {
    this.#late.askAll();
  }

  /**
   * Draws one photo anew.
   * @param {number} ordinal
   */
  renew(ordinal) {
    const key = this.#photos.at(ordinal)?.key;
    const node = this.#nodes.get(key);
    if (!node) return;
    const had = node.element.contains(document.activeElement);
    this.#remove(node);
    this.#nodes.delete(key);
    this.#draw();
    if (had) this.#nodes.get(key)?.element.focus({ preventScroll: true });
  }

  /**
   * The tile of a photo, where it is in the page.
   * @param {number} ordinal
   * @returns {HTMLElement|null}
   */
  tileOf(ordinal) {
    const photo = this.#photos?.at(ordinal);
    return (photo && this.#nodes.get(photo.key)?.element) || null;
  }

  /**
   * The photo of an element within the grid.
   * @param {EventTarget|null} element
   * @returns {number} its ordinal, -1 for none
   */
  ordinalAt(element) {
    const tile = element instanceof Element ? element.closest(".tile") : null;
    return tile ? (this.#nodes.get(tile.dataset.key)?.ordinal ?? -1) : -1;
  }

  /**
   * Brings a photo into the view, in the middle unless it is in the view already.
   * @param {number} ordinal
   */
  reveal(ordinal) {
    if (!this.#sections || this.#sections.of(ordinal) < 0) return;
    this.#look();
    const { from, to } = this.#view();
    const place = this.#sections.place(ordinal);
    const head = this.#headHeight;
    const y = this.#sections.heightOf(ordinal);
    const height = place?.row.height ?? this.#frame.target;
    if (place && y >= from + head && y + height <= to) return;
    this.#jump(ordinal, Math.max(head + 8, (innerHeight - height) / 2));
  }

  /**
   * Brings the first photo of a month to the top of the view.
   * @param {number} ordinal
   */
  goTo(ordinal) {
    this.#jump(ordinal, this.#headHeight + this.#frame.label + this.#frame.air);
  }

  /** Goes to the newest photo. */
  goToTop() {
    this.#target = null;
    this.#shift = 0;
    this.#scrollPage(0);
    this.#draw();
  }

  /** Puts the focus on a photo. */
  focus(ordinal) {
    const photo = this.#photos?.at(ordinal);
    if (!photo) return;
    this.#focusKey = photo.key;
    this.reveal(ordinal);
    this.#draw();
    this.#nodes.get(photo.key)?.element.focus({ preventScroll: true });
  }

  /**
   * The month at a height of the page, for the scrubber.
   * @param {number} share 0 at the top to 1 at the end
   * @returns {{month: string, ordinal: number}|null}
   */
  monthAt(share) {
    const anchor = this.#sections?.anchor(share * Math.max(1, this.#sections.height - 1));
    const month = anchor ? this.#photos.months[this.#photos.monthOf(anchor.ordinal)] : null;
    return month ? { month: month.month, ordinal: anchor.ordinal } : null;
  }

  /**
   * Where months begin, as shares of the whole height.
   * @returns {{month: string, ordinal: number, share: number}[]}
   */
  monthShares() {
    if (!this.#sections || this.#sections.height === 0) return [];
    return this.#photos.months.filter((month) => month.count > 0).map((month) => ({
      month: month.month, ordinal: month.first, share: this.#sections.heightOf(month.first) / this.#sections.height,
    }));
  }

  /** Height of all rows and of the view, for the scrubber. */
  get extent() {
    return { height: this.#sections?.height ?? 0, view: innerHeight, top: this.#top };
  }

  // The frame

  #measure() {
    const width = Math.max(1, Math.floor(this.#root.clientWidth));
    const style = getComputedStyle(this.#root);
    const number = (name) => parseFloat(style.getPropertyValue(name)) || 0;
    return {
      width, target: number("--row"), gap: number("--gap"), label: number("--label"), air: number("--air"),
    };
  }

  #plan() {
    this.#frame = this.#measure();
    this.#sections = new Sections(planRuns(this.#photos.months, this.#frame));
  }

  #resized() {
    if (!this.#photos || !this.#frame) return;
    const frame = this.#measure();
    if (Object.keys(frame).every((key) => frame[key] === this.#frame[key])) {
      this.#ask();
      return;
    }
    const held = this.isAtTop ? null : this.#hold();
    this.#plan();
    if (held) this.#restore(held);
    this.#draw();
  }

  // The view

  /** The stretch of the album that is on the screen. */
  #view() {
    const from = this.#y - this.#top - this.#shift;
    return { from, to: from + innerHeight };
  }

  #look() {
    this.#y = scrollY;
    this.#top = this.#root.getBoundingClientRect().top + this.#y;
    this.#headHeight = document.querySelector(".top")?.offsetHeight ?? 0;
  }

  #scrollPage(y) {
    this.#lastY = Math.max(0, Math.round(y));
    scrollTo(0, this.#lastY);
    this.#y = scrollY;
  }

  /** The photo at the top of the view and where it is on the screen. */
  #hold() {
    this.#look();
    const { from } = this.#view();
    const edge = from + this.#headHeight;
    const anchor = this.#sections?.anchor(Math.max(0, edge));
    if (!anchor) return null;
    const month = this.#photos.monthOf(anchor.ordinal);
    return { ...anchor, id: this.#photos.at(anchor.ordinal)?.id ?? null, month, offset: anchor.top - from };
  }

  #restore(held) {
    const found = held.id ? this.#photos.find(held.id) : -1;
    const ordinal = Math.min(found >= 0 ? found : held.ordinal, this.#photos.count - 1);
    if (ordinal < 0) return;
    this.#jump(ordinal, held.offset);
  }

  #jump(ordinal, offset) {
    this.#target = { ordinal, offset };
    this.#shift = 0;
    this.#look();
    this.#settleNear(this.#sections.heightOf(ordinal) - offset);
    const y = this.#sections.heightOf(ordinal) - offset + this.#top;
    this.#stretch();
    this.#scrollPage(y);
    this.#draw();
  }

  // Scrolling

  #scrolled() {
    const y = scrollY;
    if (Math.abs(y - this.#lastY) > 2) this.#target = null;
    this.#isDown = y >= this.#lastY;
    this.#lastY = y;
    this.#scrolledAt = performance.now();
    this.#settleLater();
    this.#ask();
  }

  #ask() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  #settleLater() {
    clearTimeout(this.settleTimer);
    this.settleTimer = setTimeout(() => {
      if (this.#isTouched || performance.now() - this.#scrolledAt < idleMilliseconds - 20) return;
      this.#putShiftIntoScroll();
      this.#draw();
    }, idleMilliseconds);
  }

  #putShiftIntoScroll() {
    if (this.#shift === 0) return;
    const y = scrollY - this.#shift;
    this.#shift = 0;
    this.#stretch();
    this.#scrollPage(y);
  }

  // Drawing

  #draw() {
    if (!this.#photos || !this.#sections) return;
    this.#look();
    this.#settleNear(this.#view().from);
    // Near the top the shift cannot wait: the rows above would be out of reach, or a hole would be there instead.
    if (this.#shift !== 0 && this.#y < 2 * innerHeight) this.#putShiftIntoScroll();
    this.#wantMonths();
    if (!this.#root.contains(this.#layer)) {
      if (!this.isReady) return;
      fill(this.#root, this.#layer);
      this.#root.classList.add("grid");
      this.dispatchEvent(new Event("taken-over"));
    }
    this.#stretch();
    this.#drawRows();
    if (this.#focusLater >= 0 && this.#photos.at(this.#focusLater)) {
      const ordinal = this.#focusLater;
      this.#focusLater = -1;
      this.focus(ordinal);
    }
    this.dispatchEvent(new Event("drawn"));
  }

  /** Lays out what is near and known; the view stays where it is. */
  #settleNear(near) {
    const sections = this.#sections;
    if (sections.runs.length === 0) return;
    const edge = near + this.#headHeight;
    const anchor = this.#target ?? (near > 0 ? sections.anchor(edge) : null);
    const before = anchor ? sections.heightOf(anchor.ordinal) : 0;
    let isChanged = false;
    const first = sections.at(near - reach * innerHeight);
    for (let run = first; run < sections.runs.length; run += 1) {
      if (sections.top(run) > near + (1 + 2 * reach) * innerHeight) break;
      if (sections.rows(run) || !this.#isKnown(sections.runs[run])) continue;
      sections.settle(run, layRun(sections.runs[run], (ordinal) => this.#photos.at(ordinal).aspect, this.#frame));
      isChanged = true;
    }
    if (!isChanged || !anchor) return;
    const drift = sections.heightOf(anchor.ordinal) - before;
    if (this.#target) {
      this.#stretch();
      this.#scrollPage(this.#y + drift);
    } else {
      this.#shift -= Math.round(drift);
    }
  }

  #isKnown(run) {
    for (let month = run.firstMonth; month <= run.lastMonth; month += 1) {
      if (!this.#photos.months[month].photos) return false;
    }
    return true;
  }

  #wantMonths() {
    const sections = this.#sections;
    const { from, to } = this.#view();
    const above = from - reach * innerHeight * (this.#isDown ? 0.5 : 1.5);
    const below = to + reach * innerHeight * (this.#isDown ? 1.5 : 0.5);
    const middle = (from + to) / 2;
    const wanted = new Map();
    for (let run = sections.at(above); run >= 0 && run < sections.runs.length && sections.top(run) < below; run += 1) {
      if (sections.rows(run)) continue;
      const distance = Math.max(0, sections.top(run) - middle, middle - sections.top(run + 1));
      const { firstMonth, lastMonth } = sections.runs[run];
      for (let month = firstMonth; month <= lastMonth; month += 1) {
        if (this.#photos.months[month].photos) continue;
        wanted.set(month, Math.min(distance, wanted.get(month) ?? Infinity));
      }
    }
    this.#loader.want([...wanted].sort((one, other) => one[1] - other[1]).map(([month]) => month));
  }

  #stretch() {
    const height = `${Math.ceil(Math.max(0, this.#sections.height + this.#shift))}px`;
    if (this.#root.contains(this.#layer) && this.#root.style.height !== height) this.#root.style.height = height;
    const transform = this.#shift === 0 ? "" : `translateY(${this.#shift}px)`;
    if (this.#layer.style.transform !== transform) this.#layer.style.transform = transform;
  }

  #drawRows() {
    const { from, to } = this.#view();
    const rows = this.#rowsToDraw(from, to);
    const wanted = [];
    for (const { top, row } of rows) {
      const labels = new Map(row.labels.map((label) => [label.day.first, label]));
      for (const tile of row.tiles) {
        const label = labels.get(tile.ordinal);
        if (label) wanted.push(this.#labelNode(label, top + row.pictureTop - this.#frame.label));
        wanted.push(this.#tileNode(tile, top + row.pictureTop, row.height));
      }
    }
    this.#keepFocused(wanted);
    wanted.push(...this.#blankNodes(from, to));
    this.#replace(wanted);
  }

  /** Rows of the view, and of what is near as far as the elements reach. */
  #rowsToDraw(from, to) {
    const rows = this.#sections.rowsBetween(from - reach * innerHeight, to + reach * innerHeight);
    let elements = rows.reduce((sum, { row }) => sum + this.#rowCost(row), 0);
    const isSeen = ({ top, row }) => top + row.bottom > from - 50 && top + row.top < to + 50;
    while (elements > elementsMax && rows.length > 0) {
      const above = from - (rows[0].top + rows[0].row.bottom);
      const last = rows[rows.length - 1];
      const below = last.top + last.row.top - to;
      // What has been scrolled past goes first.
      const isAbove = above * (this.#isDown ? 2 : 1) > below * (this.#isDown ? 1 : 2);
      if (isSeen(isAbove ? rows[0] : last)) break;
      elements -= this.#rowCost((isAbove ? rows.shift() : rows.pop()).row);
    }
    return rows;
  }

  #rowCost(row) {
    return row.tiles.reduce((sum, tile) => sum + elementCount(this.#photos.at(tile.ordinal)), row.labels.length);
  }

  #tileNode({ ordinal, left, width }, top, height) {
    const photo = this.#photos.at(ordinal);
    let node = this.#nodes.get(photo.key);
    if (node && node.photo !== photo && (node.photo.thumbnail !== photo.thumbnail || !node.photo.sameMarks(photo))) {
      node = null;
    }
    if (!node || (node.ordinal !== ordinal && node.isWanted)) {
      const month = this.#photos.months[this.#photos.monthOf(ordinal)].month;
      const element = makeTile(photo, { album: this.#album, search: this.#search, month });
      // The listing of all albums may hold a photo twice.
      const key = node ? `${photo.key} ${ordinal}` : photo.key;
      element.dataset.key = key;
      node = { key, element, tile: true };
      if (!photo.thumbnail) this.#late.expect(element.firstElementChild, photo.id);
      this.#decorate(element, photo);
    }
    node.photo = photo;
    node.ordinal = ordinal;
    node.isWanted = true;
    place(node, left, top, width, height);
    return node;
  }

  #labelNode({ day, left, width }, top) {
    const key = `day ${day.month} ${day.day}`;
    let node = this.#nodes.get(key);
    if (!node) node = { key, element: makeLabel(), tile: false };
    node.isWanted = true;
    nameLabel(node.element, day, width);
    place(node, left, top, width, this.#frame.label);
    return node;
  }

  /** Runs in the view whose photos are still on their way: grey where pictures are going to be. */
  #blankNodes(from, to) {
    const found = [];
    const sections = this.#sections;
    const first = sections.at(from - innerHeight);
    for (let run = first; run >= 0 && run < sections.runs.length && sections.top(run) < to + innerHeight; run += 1) {
      if (sections.rows(run)) continue;
      const key = `blank ${run}`;
      const node = this.#nodes.get(key) ?? { key, element: make("div", { class: "tiles-to-come" }), tile: false };
      node.isWanted = true;
      const top = sections.top(run);
      const start = Math.max(top, from - 2 * innerHeight);
      const end = Math.min(sections.top(run + 1), to + 2 * innerHeight);
      place(node, 0, Math.round(start), this.#frame.width, Math.round(end - start));
      found.push(node);
      if (found.length > 40) break;
    }
    return found;
  }

  /** The tile that has the focus stays, or a person on the keyboard would be thrown to the page's top. */
  #keepFocused(wanted) {
    const node = this.#focusKey === null ? null : this.#nodes.get(this.#focusKey);
    if (node && !node.isWanted && node.element.contains(document.activeElement)) {
      node.isWanted = true;
      wanted.push(node);
    }
  }

  #replace(wanted) {
    for (const [key, node] of this.#nodes) {
      if (node.isWanted) continue;
      this.#remove(node);
      this.#nodes.delete(key);
    }
    let next = this.#layer.firstElementChild;
    for (const node of wanted) {
      node.isWanted = false;
      const old = this.#nodes.get(node.key);
      if (old && old !== node) {
        if (old.element === next) next = next.nextElementSibling;
        this.#remove(old);
      }
      this.#nodes.set(node.key, node);
      if (node.element === next) next = next.nextElementSibling;
      else this.#layer.insertBefore(node.element, next);
    }
    this.#setTabStop();
  }

  /** Takes a node out of the page. A picture that is still loading would stand in line before those that are seen now. */
  #remove({ element, tile }) {
    const image = tile ? element.firstElementChild : null;
    if (image) this.#late.forget(image);
    if (image && !image.complete) image.removeAttribute("src");
    element.remove();
  }

  #clear() {
    for (const node of this.#nodes.values()) this.#remove(node);
    this.#nodes.clear();
    this.#focusKey = null;
  }

  #imageFailed(event) {
    const tile = event.target instanceof HTMLImageElement ? event.target.closest(".tile") : null;
    if (!tile) return;
    tile.classList.add("tile-missing");
    this.#late.failed(event.target, event.target.dataset.photo);
  }

  #imageLoaded(event) {
    event.target.closest(".tile")?.classList.remove("tile-missing");
    this.#late.forget(event.target);
  }

  // Movement

  #places() {
    const places = new Map();
    for (const [key, node] of this.#nodes) if (node.tile) places.set(key, node.element.getBoundingClientRect());
    return places;
  }

  #slide(before) {
    const timing = { duration: 200, easing: "cubic-bezier(0.2, 0, 0, 1)" };
    for (const [key, { tile, element }] of this.#nodes) {
      if (!tile) continue;
      const now = element.getBoundingClientRect();
      if (now.bottom < 0 || now.top > innerHeight) continue;
      const old = before.get(key);
      if (!old) {
        element.animate([{ opacity: 0, transform: "translateY(-24px)" }, { opacity: 1, transform: "none" }], timing);
      } else if (Math.abs(old.left - now.left) + Math.abs(old.top - now.top) > 1) {
        const from = `translate(${old.left - now.left}px, ${old.top - now.top}px)`;
        element.animate([{ transform: from }, { transform: "none" }], timing);
      }
    }
  }

  // The keyboard

  /** One picture is a stop of the Tab key, the arrow keys go from there: nobody tabs through 50,000 photos. */
  #setTabStop() {
    let stop = this.#focusKey === null ? null : this.#nodes.get(this.#focusKey);
    if (!stop) {
      const { from } = this.#view();
      const edge = from + this.#headHeight;
      stop = [...this.#nodes.values()].find((node) => node.tile && node.top >= edge) ?? null;
    }
    for (const node of this.#nodes.values()) {
      if (!node.tile) continue;
      const index = node === stop ? "0" : "-1";
      if (node.element.getAttribute("tabindex") !== index) node.element.setAttribute("tabindex", index);
    }
  }

  #focused(event) {
    const key = event.target.closest?.(".tile")?.dataset.key;
    if (!key) return;
    this.#focusKey = key;
    this.#focusLater = -1;
  }

  #keyPressed(event) {
    const ordinal = this.ordinalAt(event.target);
    if (ordinal < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.#sections.neighbour(ordinal, event.key);
    if (next === null) return;
    event.preventDefault();
    if (this.#photos.at(next)) {
      this.focus(next);
    } else {
      this.reveal(next);
      this.#focusLater = next;
    }
  }

}

/** Asks for a small picture again; `false` where its tile has left the page. */
function reload(image, photo) {
  if (!image.isConnected) return false;
  const address = image.getAttribute("src") ?? thumbnailAddress(photo);
  // WebKit asks again for an address that failed only where it was taken away before.
  image.removeAttribute("src");
  image.src = address;
  return true;
}

function place(node, left, top, width, height) {
  if (node.left === left && node.top === top && node.width === width && node.height === height) return;
  Object.assign(node, { left, top, width, height });
  const style = node.element.style;
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}
