// Shows that the wall's code follows the guests' link: when it changes, when it ends, and never to an older answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../Sources/WebGallery/Resources/shared/api.js";
import { ShownLink } from "../../../Sources/WebGallery/Resources/wall/link.js";

/** A wall that came with a link, and a laptop whose answers the test gives. */
function bench(link = "http://a/g/#1") {
  const shown = [];
  const questions = [];
  const load = () => new Promise((resolve, reject) => questions.push({ resolve, reject }));
  return { shown, questions, link: new ShownLink({ link, load, show: (text) => shown.push(text) }) };
}

test("draws another link once, and none where it is the same", async () => {
  const { link, questions, shown } = bench();
  for (const answer of ["http://a/g/#1", "http://a/g/#2", "http://a/g/#2", null, null, "http://a/g/#3"]) {
    const done = link.refresh();
    questions.at(-1).resolve(answer);
    await done;
  }
  assert.deepEqual(shown, ["http://a/g/#2", "", "http://a/g/#3"]);
});

test("lets the latest question count, whichever answer comes first", async () => {
  const { link, questions, shown } = bench();
  const rounds = [link.refresh(), link.refresh()];
  questions[1].resolve("http://a/g/#new");
  questions[0].resolve("http://a/g/#old");
  await Promise.all(rounds);
  assert.deepEqual(shown, ["http://a/g/#new"]);
});

test("keeps what is shown while the laptop is silent, and lets mistakes be seen", async () => {
  const { link, questions, shown } = bench("");
  const silent = link.refresh();
  questions[0].reject(new ApiError("no answer", { code: "offline" }));
  await silent;
  const mistaken = link.refresh();
  questions[1].reject(new TypeError("mistake"));
  await assert.rejects(mistaken, TypeError);
  assert.deepEqual(shown, []);
});
