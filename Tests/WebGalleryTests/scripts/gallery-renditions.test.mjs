// Shows which picture of a photo a slide loads: never a smaller one over a larger, and none that failed before it is there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Renditions } from "../../../Sources/WebGallery/Resources/gallery/renditions.js";

/** A slide whose small picture is there, as it nearly always is. */
function overThumbnail() {
  const renditions = new Renditions("preview");
  renditions.loaded("thumbnail");
  return renditions;
}

test("the preview over the thumbnail, once", () => {
  const renditions = overThumbnail();
  assert.equal(renditions.shown, "thumbnail");
  assert.equal(renditions.take(), "preview");
  assert.equal(renditions.take(), null);
  assert.equal(renditions.loaded("preview"), true);
  assert.ok(renditions.isWhole);
  assert.equal(renditions.take(), null);
});

test("an original that fails leaves the preview, and is tried again when it is there", () => {
  const renditions = overThumbnail();
  assert.equal(renditions.wants("original"), false);
  renditions.want("original");
  assert.ok(renditions.wants("original") && renditions.wants("preview"));
  assert.equal(renditions.take(), "original");
  renditions.failed("original");
  assert.equal(renditions.take(), "preview");
  assert.equal(renditions.loaded("preview"), true);
  assert.equal(renditions.take(), null);
  assert.equal(renditions.isWhole, false);
  renditions.retry();
  assert.equal(renditions.take(), "original");
  assert.equal(renditions.loaded("original"), true);
  assert.equal(renditions.shown, "original");
});

test("a preview that cannot be made leaves the thumbnail, also one that came late", () => {
  const renditions = new Renditions("preview");
  assert.equal(renditions.shown, null);
  assert.equal(renditions.take(), "preview");
  renditions.failed("preview");
  assert.equal(renditions.take(), "thumbnail");
  renditions.failed("thumbnail");
  assert.equal(renditions.take(), null);
  renditions.retry();
  assert.equal(renditions.take(), "preview");
  renditions.failed("preview");
  assert.equal(renditions.take(), "thumbnail");
  assert.equal(renditions.loaded("thumbnail"), true);
  assert.equal(renditions.take(), null);
});

test("a preview that comes after the original is not shown", () => {
  const renditions = overThumbnail();
  assert.equal(renditions.take(), "preview");
  renditions.want("original");
  assert.equal(renditions.take(), "original");
  assert.equal(renditions.loaded("original"), true);
  assert.equal(renditions.loaded("preview"), false);
  assert.equal(renditions.shown, "original");
});

test("who asks once more for an original gets another try", () => {
  const renditions = overThumbnail();
  renditions.want("original");
  renditions.take();
  renditions.failed("original");
  renditions.want("original");
  assert.equal(renditions.take(), "original");
});
