// Shows addresses, what failures mean in words, how long to wait, and how a stream of events is read piece by piece.

import assert from "node:assert/strict";
import { test } from "node:test";
import { albumPage, originalAddress, photoPage, thumbnailAddress, wordsAddress } from "../../../Sources/WebGallery/Resources/shared/addresses.js";
import { ApiError, address, failure, patiently, retryMilliseconds, sentenceFor } from "../../../Sources/WebGallery/Resources/shared/api.js";
import { EventReader } from "../../../Sources/WebGallery/Resources/shared/event-stream.js";

test("addresses escape what people and devices wrote, and leave out what is empty", () => {
  assert.equal(address(["albums", "a/b ?", "months"], { text: "ü&", person: "", from: null }), "/api/v1/albums/a%2Fb%20%3F/months?text=%C3%BC%26");
  assert.equal(thumbnailAddress("ab", "cd"), "/api/v1/photos/ab/thumbnail?v=cd");
  assert.equal(thumbnailAddress("ab"), "/api/v1/photos/ab/thumbnail");
  assert.equal(originalAddress("ab", true), "/api/v1/photos/ab/original?download=1");
  assert.equal(albumPage("all", "type=video"), "/album/all?type=video");
  assert.equal(photoPage("all", "ab"), "/album/all/photo/ab");
});

test("words of a photo belong to its own album, also on the page of all albums", () => {
  assert.equal(wordsAddress("a1", { id: "ab" }, "comments", "c/1"), "/api/v1/albums/a1/photos/ab/comments/c%2F1");
  assert.equal(wordsAddress("all", { id: "ab", album_id: "a2" }, "favourite"), "/api/v1/albums/a2/photos/ab/favourite");
  assert.equal(wordsAddress("all", { id: "ab", album_id: "a2" }), "/api/v1/albums/a2/photos/ab");
});

test("Retry-After in seconds and as a date", () => {
  const now = Date.parse("2026-08-14T12:00:00Z");
  assert.equal(retryMilliseconds("3", now), 3000);
  assert.equal(retryMilliseconds("Fri, 14 Aug 2026 12:00:07 GMT", now), 7000);
  assert.equal(retryMilliseconds("Fri, 14 Aug 2026 11:00:00 GMT", now), 0);
  assert.equal(retryMilliseconds("soon", now), 0);
  assert.equal(retryMilliseconds(null, now), 0);
  assert.equal(retryMilliseconds("999999999", now), 3600000);
});

test("a failure has the laptop's words, or ours where it has none", async () => {
  const said = { error: { code: "preparing", message: "Being prepared.", progress: 0.4 } };
  const error = await failure(new Response(JSON.stringify(said), { status: 503, headers: { "Retry-After": "2" } }));
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.message, error.code, error.status, error.retryAfter, error.progress], ["Being prepared.", "preparing", 503, 2000, 0.4]);
  const bare = await failure(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  assert.equal(bare.message, sentenceFor(502));
  for (let status = 400; status < 600; status += 1) assert.doesNotMatch(sentenceFor(status), /\d|error/i, String(status));
});

test("patience: later is asked again, no is no", async () => {
  let asked = 0;
  const answer = await patiently(async () => {
    asked += 1;
    if (asked < 3) throw new ApiError("later", { status: 503, retryAfter: 1 });
    return "here";
  });
  assert.deepEqual([answer, asked], ["here", 3]);
  asked = 0;
  const refused = patiently(async () => {
    asked += 1;
    throw new ApiError("no", { status: 403 });
  });
  await assert.rejects(refused, /no/);
  assert.equal(asked, 1);
});

test("a stream of events, cut at every place", () => {
  const text = ": still here\n\nid: run-1\nevent: photo.added\ndata: {\"photo\":\ndata:  \"ü\"}\n\r\nevent: afresh\r\n\r\nid: run-2\rdata: x\r\r";
  const whole = [
    { kind: "photo.added", data: "{\"photo\":\n \"ü\"}", id: "run-1" },
    { kind: "afresh", data: "", id: "run-1" },
  ];
  for (let cut = 0; cut <= text.length; cut += 1) {
    const reader = new EventReader();
    const events = [...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut)), ...reader.read(": end\n")];
    assert.deepEqual(events.slice(0, 2), whole, `cut at ${cut}`);
    assert.deepEqual(events[2], { kind: "message", data: "x", id: "run-2" }, `cut at ${cut}`);
    assert.equal(reader.lastID, "run-2");
  }
});
