import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import {
  originalAddress, photoOfPage, photoPage, previewAddress, thumbnailAddress, videoAddress, wordsAddress,
} from "../../../Sources/WebGallery/Resources/exported/addresses.js";
import { address, request } from "../../../Sources/WebGallery/Resources/exported/api.js";
import { ExportedAlbum } from "../../../Sources/WebGallery/Resources/exported/exported-album.js";
import { keepRecord } from "../../../Sources/WebGallery/Resources/exported/records.js";
import { flag } from "../../../Sources/WebGallery/Resources/gallery/photos.js";
import * as galleryAddresses from "../../../Sources/WebGallery/Resources/shared/addresses.js";

const idOf = (number) => number.toString(16).padStart(16, "0");

function record(number, others = {}) {
  return {
    id: idOf(number), file: `${number}.jpg`, small: `gallery/${number}.webp`, view: "", moving: "", isVideo: false,
    seconds: 0, width: 3000, height: 4000, taken: "2026-07-04T14:03", name: `${number}.jpg`, by: "Anna", caption: "",
    tags: [], words: "Photo", ...others,
  };
}

test("all months of an exported album are there, in the page's order", () => {
  const album = new ExportedAlbum([
    { date: "2026-07-30", records: [record(1), record(2, { isVideo: true, seconds: 84 })] },
    { date: "2026-07-31", records: [record(3, { moving: "3.mov" })] },
    { date: "2026-08-01", records: [record(4, { width: 0 })] },
    { date: "", records: [record(5, { small: "" })] },
  ]);
  const { photos } = album;
  assert.deepEqual(photos.months.map(({ month, count }) => [month, count]), [["2026-07", 3], ["2026-08", 1], ["undated", 1]]);
  assert.deepEqual(photos.months[0].days, [[30, 2, 1.5], [31, 1, 0.75]]);
  assert.equal(photos.count, 5);
  assert.deepEqual([0, 1, 2, 3, 4].map((ordinal) => photos.at(ordinal).id), [1, 2, 3, 4, 5].map(idOf));
  assert.equal(photos.find(idOf(4)), 3);
  assert.ok(photos.at(1).has(flag.video) && photos.at(1).seconds === 84);
  assert.ok(photos.at(2).has(flag.moving) && !photos.at(2).has(flag.video));
  assert.equal(photos.at(3).aspect, 1.333);
  assert.equal(photos.at(4).day, 0);
  assert.equal(photos.at(4).thumbnail, "");
});

test("addresses are those of the files beside the page, empty where there is none", () => {
  keepRecord(record(6, { view: "gallery/6-large.webp", moving: "6.mov" }));
  keepRecord(record(7, { file: "", small: "" }));
  keepRecord(record(8, { isVideo: true, file: "8.mp4" }));
  assert.equal(thumbnailAddress(idOf(6)), "gallery/6.webp");
  assert.equal(previewAddress(idOf(6)), "gallery/6-large.webp");
  assert.equal(originalAddress(idOf(6)), "6.jpg");
  assert.equal(videoAddress(idOf(6)), "6.mov");
  assert.equal(videoAddress(idOf(8)), "8.mp4");
  assert.equal(wordsAddress("exported", { id: idOf(6) }, "caption"), "");
  for (const found of [thumbnailAddress, previewAddress, originalAddress, videoAddress]) {
    assert.equal(found(idOf(7)), "");
    assert.equal(found(idOf(99)), "");
  }
});

test("a photo stands in the page's address after #, in the gallery's within its path", () => {
  assert.equal(photoOfPage(new URL(`file:///a/index.html${photoPage("exported", idOf(6))}`)), idOf(6));
  for (const hash of ["", "#", "#photos", `#${idOf(6)}0`, "#000000000000000G"]) {
    assert.equal(photoOfPage(new URL(`file:///a/index.html${hash}`)), null);
  }
  const id = "ab".repeat(32);
  const page = new URL(galleryAddresses.photoPage("all", id, "text=a"), "http://127.0.0.1/");
  assert.equal(galleryAddresses.photoOfPage(page), id);
  assert.equal(galleryAddresses.photoOfPage(new URL("http://127.0.0.1/album/all")), null);
});

test("the page answers for the photos that it knows", async () => {
  keepRecord(record(9, { caption: "Sand", tags: ["beach"] }));
  const details = await request(address(["albums", "exported", "photos", idOf(9)]));
  assert.deepEqual(details, {
    id: idOf(9), taken: "2026-07-04T14:03", by: "Anna", caption: "Sand", tags: ["beach"], name: "9.jpg", width: 3000,
    height: 4000,
  });
  await assert.rejects(request(address(["albums", "exported", "photos", idOf(98)])), /not part of this export/);
  await assert.rejects(request(address(["me"])), /not part of this export/);
});

test("modules of the gallery find all that they import in the exported page's own modules", () => {
  const sources = fileURLToPath(new URL("../../../Sources", import.meta.url));
  const read = (path) => readFileSync(join(sources, path), "utf8");
  const text = (path) => read(join("WebGallery/Resources", path));
  // As the exported page is put together.
  const pairs = read("AlbumExport/Gallery/GalleryResources.swift").matchAll(/"([\w/.-]+\.js)": "([\w/.-]+\.js)"/g);
  const standIns = new Map([...pairs].map(([, wanted, own]) => [wanted, own]));
  assert.ok(standIns.size > 0 && [...standIns].every(([wanted, own]) => text(wanted) !== "" && text(own) !== ""));
  const missing = [];
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, names, from] of text(path).matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)) {
      const wanted = join(dirname(path), from);
      const module = standIns.get(wanted) ?? wanted;
      const found = text(module).matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm);
      const exported = new Set([...found].map(([, name]) => name));
      for (const name of names.split(",").map((part) => part.trim().split(" ")[0]).filter(Boolean)) {
        if (!exported.has(name)) missing.push(`${path}: ${name} of ${module}`);
      }
      visit(module);
    }
  };
  visit("exported/page.js");
  assert.ok(seen.has("gallery/viewer.js"));
  for (const module of ["shared/api.js", "shared/live.js", "gallery/album-page.js"]) {
    assert.ok(!seen.has(module), `${module} needs a laptop`);
  }
  assert.deepEqual(missing, []);
});
