// Shows how the answer of long work is read: cut anywhere, with its progress, its result, its failure, and no end at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readWork } from "../../../Sources/WebGallery/Resources/shared/long-work.js";

/** A body that arrives in pieces of some bytes. */
function body(text, size = text.length) {
  const bytes = new TextEncoder().encode(text);
  let place = 0;
  return {
    async read() {
      if (place >= bytes.length) return { done: true };
      place += size;
      return { done: false, value: bytes.slice(place - size, place) };
    },
  };
}

const steps = [1, 2].map((files) => `event: progress\ndata: {"files":${files}}\n\n`).join("");

test("progress comes as it goes, and the result last, however the answer is cut", async () => {
  for (const size of [1, 3, 7, 1000]) {
    const told = [];
    const text = `${steps}: still here\n\nevent: result\ndata: {"findings":[],"name":"Bär"}\n\n`;
    const result = await readWork(body(text, size), (step) => told.push(step.files));
    assert.deepEqual([told, result], [[1, 2], { findings: [], name: "Bär" }]);
  }
});

test("a failure has the laptop's words", async () => {
  const text = `${steps}event: error\ndata: {"code":"try_again","message":"Another check looks through this home."}\n\n`;
  const error = await readWork(body(text), () => {}).catch((failure) => failure);
  assert.deepEqual([error.name, error.code, error.message], ["ApiError", "try_again", "Another check looks through this home."]);
});

test("an answer that ends before its result is a laptop that went, and one that was ended is no failure", async () => {
  const isOffline = ({ name, code }) => name === "ApiError" && code === "offline";
  await assert.rejects(readWork(body(steps), () => {}), isOffline);
  const broken = (error) => ({ read: () => Promise.reject(error) });
  await assert.rejects(readWork(broken(new TypeError("network error")), () => {}), isOffline);
  await assert.rejects(readWork(broken(new DOMException("Cancelled", "AbortError")), () => {}), { name: "AbortError" });
});
