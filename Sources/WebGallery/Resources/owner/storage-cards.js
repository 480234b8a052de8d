// What comes to this laptop and what leaves it: speed, originals, trash, hidden photos.

import { thumbnailAddress } from "../shared/addresses.js";
import { confirm } from "../shared/dialog.js";
import { make } from "../shared/elements.js";
import { notice } from "../shared/notice.js";
import { bytes, count, plural } from "../shared/words.js";
import { actionButton, attempt, drawList, foldedSection, order, section } from "./acting.js";
import { rateWords, trashWords } from "./plain.js";

const MEBIBYTE = 1_048_576;
/** Bytes a second that a person may choose; round numbers in the units that the page shows. */
const RATES = [0.5, 1, 2, 5, 10, 50].map((number) => number * MEBIBYTE);
const ROW_COUNT_MAX = 100;
const POLICIES = { all: "All originals", own: "Only what this laptop added", none: "No originals, small pictures alone" };

/** Pause and limits. @param {{onChanged: () => void}} handlers */
export function makeTransfersCard({ onChanged }) {
  const pause = actionButton("", async () => {
    await order(["transfers"], { paused: pause.dataset.paused !== "true" });
    onChanged();
  });
  const words = make("p", { class: "quiet" });
  const up = rateField("limit-up", "Sending to other laptops", "up", onChanged);
  const down = rateField("limit-down", "Fetching from other laptops", "down", onChanged);
  const element = section(
    "transfers", "Speed", words, make("div", { class: "chips" }, pause), make("div", { class: "owner-pair" }, up.element, down.element));
  const draw = ({ paused, limit_up: limitUp, limit_down: limitDown }) => {
    pause.dataset.paused = String(paused);
    pause.textContent = paused ? "Fetch originals again" : "Pause fetching originals";
    words.textContent = paused
      ? "Paused. Names and small pictures still come; what this laptop has is still sent."
      : "If the Wi-Fi gets slow for everybody, set a limit or pause for a while.";
    up.draw(limitUp);
    down.draw(limitDown);
  };
  return { element, draw };
}

function rateField(id, label, key, onChanged) {
  const select = make("select", { class: "input", id });
  const message = make("div", { class: "field" }, make("label", { for: id }, label), select);
  select.addEventListener("change", () => attempt(async () => {
    await order(["transfers"], { [key]: select.value });
    onChanged();
  }, select));
  const draw = (rate) => {
    const known = rate === null || RATES.includes(rate) ? RATES : [...RATES, rate].sort((a, b) => a - b);
    drawList(select, ["off", ...known.map(String)], (value) =>
      make("option", { value }, rateWords(value === "off" ? null : Number(value))));
    const value = rate === null ? "off" : String(rate);
    if (document.activeElement !== select) select.value = value;
  };
  return { element: message, draw };
}

/** Which originals come here, album by album. @param {{onChanged: () => void}} handlers */
export function makeOriginalsCard({ onChanged }) {
  const rows = make("ul", { class: "owner-rows" });
  const folded = foldedSection(
    "originals", "Originals on this laptop",
    make("p", { class: "quiet" }, "Small pictures of all albums are here anyway. Originals take the space."), rows);
  const draw = ({ albums }) => {
    drawList(rows, albums, (album) => {
      const id = `originals-${album.id}`;
      const select = make(
        "select", { class: "input", id },
        Object.entries(POLICIES).map(([value, words]) => make("option", { value, selected: value === album.originals }, words)));
      select.addEventListener("change", () => attempt(async () => {
        await order(["originals"], { album: album.id, originals: select.value });
        onChanged();
      }, select));
      const leftOut = album.left_out.photos > 0
        ? ` · ${plural(album.left_out.photos, "photo")} (${bytes(album.left_out.bytes)}) left out` : "";
      return make(
        "li", { class: "owner-row owner-row-field" },
        make("div", {}, make("label", { for: id }, make("strong", {}, album.name)),
          make("p", { class: "small quiet" }, `${count(album.here)} of ${plural(album.photos, "original")} here${leftOut}`)),
        select);
    });
  };
  return { element: folded.element, draw };
}

/** Photos that left their albums. @param {{onChanged: () => void}} handlers */
export function makeTrashCard({ onChanged }) {
  const words = make("p", { class: "quiet" });
  const rows = make("ul", { class: "owner-rows" });
  const rest = make("p", { class: "small quiet" });
  const empty = actionButton("Empty the trash", async () => {
    const explanation = "Photos that another laptop keeps are deleted here now. Those of which no other copy is known stay: "
      + "delete them one by one.";
    if (!await confirm("Empty the trash?", explanation, "Empty it")) return;
    await order(["trash"], { photos: [], last_copies: false });
    onChanged();
  });
  const folded = foldedSection("trash", "Trash", words, make("div", { class: "chips" }, empty), rows, rest);
  const draw = ({ trash, days }) => {
    folded.setCount(trash.length);
    empty.hidden = trash.every((photo) => photo.last_copy);
    words.textContent = trash.length === 0
      ? "The trash is empty."
      : `Photos stay for ${days === null ? "some" : count(days)} days in which this laptop runs, then their space is given back.`;
    drawList(rows, trash.slice(0, ROW_COUNT_MAX), (photo) => photoRow(
      photo, trashWords(photo),
      actionButton("Bring back", async () => {
        await order(["remove"], { action: "restore", album: photo.album_id, photos: [photo.id] });
        notice(`${photo.name} is back in “${photo.album}”.`);
        onChanged();
      }, { label: `Bring back ${photo.name}`, className: "button" }),
      actionButton("Delete", async () => {
        const explanation = photo.last_copy
          ? "No other laptop is known to have it: it is gone for good."
          : "Its space on this laptop is given back now.";
        if (!await confirm(`Delete ${photo.name}?`, explanation, "Delete")) return;
        await order(["trash"], { album: photo.album_id, photos: [photo.id], last_copies: photo.last_copy });
        onChanged();
      }, { label: `Delete ${photo.name}`, className: "button button-plain" })));
    rest.hidden = trash.length <= ROW_COUNT_MAX;
    rest.textContent = `and ${count(trash.length - ROW_COUNT_MAX)} more; “potluck trash” lists all of them.`;
  };
  return { element: folded.element, draw };
}

/** Photos that this laptop does not show. @param {{onChanged: () => void}} handlers */
export function makeHiddenCard({ onChanged }) {
  const words = make("p", { class: "quiet" });
  const rows = make("ul", { class: "owner-rows" });
  const folded = foldedSection("hidden", "Hidden here", words, rows);
  const draw = ({ hidden }) => {
    folded.setCount(hidden.length);
    words.textContent = hidden.length === 0
      ? "Nothing is hidden on this laptop."
      : "Photos of others that you removed from the folder here. The others still see them.";
    drawList(rows, hidden.slice(0, ROW_COUNT_MAX), (photo) => photoRow(
      photo, [photo.album, photo.by === null ? null : `by ${photo.by}`].filter(Boolean).join(" · "),
      actionButton("Show again", async () => {
        await order(["remove"], { action: "unhide", album: photo.album_id, photos: [photo.id] });
        onChanged();
      }, { label: `Show ${photo.name} again` })));
  };
  return { element: folded.element, draw };
}

function photoRow(photo, words, ...buttons) {
  return make(
    "li", { class: "owner-row" },
    make("img", {
      class: "owner-picture", src: thumbnailAddress(photo.id), alt: "", width: "56", height: "56", loading: "lazy",
      dataset: { photo: photo.id },
    }),
    make("div", {}, make("strong", {}, photo.name), make("p", { class: "small quiet" }, words)),
    make("div", { class: "owner-row-buttons" }, buttons));
}
