/**
 * The page of an exported album: reads its plain list of pictures, and shows it as the gallery shows an album. Without
 * scripts each picture of the list is a link to its file.
 */

import { Grid } from "../gallery/grid.js";
import { Scrubber } from "../gallery/scrubber.js";
import { Viewer } from "../gallery/viewer.js";
import { fill, make, need } from "../shared/elements.js";
import { photoOfPage } from "./addresses.js";
import { ExportedAlbum } from "./exported-album.js";
import { keepRecord, recordOf } from "./records.js";

/** An exported album is told from its beginning. */
const words = {
  before: "Previous photo",
  after: "Next photo",
  about: { icon: "info", label: "Details" },
  original: { icon: "file", label: "Open the file", attributes: { target: "_blank", rel: "noopener" } },
};

function readDays() {
  return [...document.querySelectorAll("#photos section")].map((section) => ({
    date: section.querySelector("time")?.dateTime ?? "",
    records: [...section.querySelectorAll(".tile")].map(read),
  }));
}

function read(tile) {
  const image = tile.querySelector("img");
  const { id, kind, view, moving, seconds, width, height, taken, name, person, caption, tags } = tile.dataset;
  const record = {
    id, isVideo: kind === "video", file: tile.getAttribute("href") ?? "", small: image?.getAttribute("src") ?? "",
    view: view ?? "", moving: moving ?? "", seconds: Number(seconds ?? 0), width: Number(width ?? 0),
    height: Number(height ?? 0), taken: taken ?? "", name: name ?? "", by: person ?? "", caption: caption ?? "",
    tags: tags ? tags.split("\n") : [], words: image?.alt ?? tile.querySelector(".blank")?.textContent ?? "",
  };
  keepRecord(record);
  return record;
}

/** A picture that is not there is shown by its name. */
function decorate(tile, photo) {
  const { words: text, name, small } = recordOf(photo.id);
  tile.querySelector("img").alt = text;
  if (small === "" && !tile.querySelector(".blank")) tile.append(make("span", { class: "blank" }, name || text));
}

function begin(days) {
  const source = new ExportedAlbum(days);
  const album = { id: "exported", name: need("h1").textContent };
  const root = need("#photos");
  const grid = new Grid(root, { album: album.id, load: () => source.loadMonth() });
  grid.decorate = decorate;
  const scrubber = new Scrubber(grid);
  const viewer = new Viewer({ album, grid, source, words });
  viewer.person = { may: ["see", "take"] };
  root.addEventListener("click", (event) => {
    const ordinal = grid.ordinalAt(event.target);
    if (ordinal < 0 || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    viewer.open(ordinal);
  });
  printWhole(root, grid);
  grid.show(source.photos);
  scrubber.update();
  const first = photoOfPage(location);
  if (first) viewer.openFirst(first);
}

/** On paper stands the whole list, of which the grid has only what is near. */
function printWhole(root, grid) {
  const list = [...root.children];
  addEventListener("beforeprint", () => {
    root.classList.remove("grid");
    root.style.height = "";
    fill(root, list);
  });
  addEventListener("afterprint", () => grid.refresh());
}

const days = readDays();
if (days.length > 0) begin(days);
