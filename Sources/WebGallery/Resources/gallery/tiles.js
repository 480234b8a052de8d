/**
 * The elements of the grid: a picture with its marks, and the label of a day.
 */

import { photoPage, thumbnailAddress } from "../shared/addresses.js";
import { dayNames } from "../shared/dates.js";
import { make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { duration } from "../shared/words.js";
import { flag } from "./photos.js";

/** Of `.day` in album.css, both sides together. */
const labelPadding = 12;

/**
 * How many elements a picture takes in the page.
 * @param {import("./photos.js").Photo} photo
 * @returns {number}
 */
export function elementCount(photo) {
  return 2 + (photo.has(flag.video | flag.moving) ? 3 : 0) + (photo.has(flag.mine | flag.favourite) ? 2 : 0);
}

/**
 * Makes a picture of the grid: a link to its page.
 * @param {import("./photos.js").Photo} photo
 * @param {{album: string, search: string, month: string}} place
 * @returns {HTMLAnchorElement}
 */
export function makeTile(photo, { album, search, month }) {
  const id = photo.id;
  const image = make("img", {
    "data-photo": id, alt: describe(photo, month), decoding: "async", draggable: "false",
    src: photo.thumbnail ? thumbnailAddress(id, photo.thumbnail) : null,
  });
  const tile = make("a", { class: "tile", href: photoPage(album, id, search), tabindex: "-1" }, image, ...marks(photo));
  if (!photo.thumbnail) tile.classList.add("tile-missing");
  return tile;
}

/**
 * Makes the label of a day.
 * @returns {HTMLElement}
 */
export function makeLabel() {
  return make("h2", { class: "day" });
}

/**
 * Writes the longest name of a day that fits.
 * @param {HTMLElement} label
 * @param {{month: string, day: number}} day
 * @param {number} width in CSS pixels
 */
export function nameLabel(label, day, width) {
  const names = dayNames(day.month, day.day);
  const text = names.find((name) => textWidth(name) <= width - labelPadding) ?? names[names.length - 1];
  if (label.textContent === text) return;
  label.textContent = text;
  label.title = text === names[0] ? "" : names.find((name) => name.length > 9) ?? names[0];
}

/**
 * What a picture is, for those who do not see it.
 * @param {import("./photos.js").Photo} photo
 * @param {string} month
 * @returns {string}
 */
export function describe(photo, month) {
  const kind = photo.has(flag.video) ? "Video" : photo.has(flag.moving) ? "Live photo" : "Photo";
  const day = photo.day > 0 ? dayNames(month, photo.day)[0] : "";
  return day ? `${kind}, ${day}` : `${kind} without a date`;
}

function marks(photo) {
  const found = [];
  if (photo.has(flag.video)) {
    found.push(make("span", { class: "mark mark-kind" }, photo.seconds > 0 ? duration(photo.seconds) : null, icon("play", "icon-filled")));
  } else if (photo.has(flag.moving)) {
    found.push(make("span", { class: "mark mark-kind" }, icon("live")));
  }
  if (photo.has(flag.mine | flag.favourite)) {
    found.push(icon("heart", photo.has(flag.mine) ? "mark icon-filled" : "mark"));
  }
  return found;
}

let pen = null;
const widths = new Map();

function textWidth(text) {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.body);
    // The labels' size and weight in album.css.
    pen.font = `600 ${parseFloat(style.fontSize)}px ${style.fontFamily}`;
  }
  const width = Math.ceil(pen.measureText(text).width) + 2;
  widths.set(text, width);
  return width;
}
