// Shows that links, personal links and tickets are told apart, and that nothing in a fragment leads to another site.

import assert from "node:assert/strict";
import { test } from "node:test";
import { movingLink, readFragment, readTyped, safePlace } from "../../../Sources/WebGallery/Resources/joining/fragment.js";

test("tells the three kinds apart", () => {
  assert.deepEqual(readFragment("#q3Zk0c1Hh2mJ9x7PbL4uVw"), { kind: "link", token: "q3Zk0c1Hh2mJ9x7PbL4uVw" });
  assert.deepEqual(readFragment("#me=q3Zk0c1Hh2mJ9x7PbL4uVw"), { kind: "personal", token: "q3Zk0c1Hh2mJ9x7PbL4uVw" });
  assert.deepEqual(readFragment("#ticket=ab+c/d%3D&place=/wall"), {
    kind: "ticket", ticket: "ab c/d=", place: "/wall", unfinished: [],
  });
  for (const hash of ["", "#", "#short", "#<script>alert(1)</script>", "#me=", "#ticket=", `#${"x".repeat(401)}`]) {
    assert.deepEqual(readFragment(hash), { kind: "none" }, hash);
  }
});

test("takes a token or a whole link that a person typed", () => {
  const token = "q3Zk0c1Hh2mJ9x7PbL4uVw";
  for (const text of [token, ` ${token}\n`, `http://10.0.0.5:4712/g/#${token}`]) {
    assert.deepEqual(readTyped(text), { kind: "link", token });
  }
  assert.deepEqual(readTyped(`http://10.0.0.5:4712/g/#me=${token}`), { kind: "personal", token });
  assert.deepEqual(readTyped("Beach day"), { kind: "none" });
  assert.deepEqual(readTyped("http://10.0.0.5:4712/g/#ticket=abcdefghijkl"), { kind: "none" });
});

test("goes to places of these pages only", () => {
  const id = "a".repeat(32);
  const photo = `/album/${id}/photo/${"b".repeat(64)}`;
  for (const place of ["/wall", `/album/${id}`, photo, `/album/${id}?person=Lena+M&tag=a%20b`]) {
    assert.equal(safePlace(place), place);
  }
  const elsewhere = [
    null, "", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/album//evil.example",
    "/album/../owner", "/album/x/..", "/owner", "/wallpaper", "/wall#x", "/wall?x#y", "/wall?x=//y", "/wall\n/", "/wall/", `/album/${"x".repeat(300)}`,
  ];
  for (const place of elsewhere) assert.equal(safePlace(place), "/", String(place));
});

test("carries ticket, place and names to the next laptop and back", () => {
  const names = ["IMG 1.HEIC", "ünfertig & mehr.mov", ...Array.from({ length: 60 }, (_, index) => `${index}.jpg`)];
  const link = movingLink("http://10.0.0.6:4712", { ticket: "t/=+&#x", place: "/album/a1", unfinished: names });
  assert.ok(link.startsWith("http://10.0.0.6:4712/g/#"));
  const found = readFragment(new URL(link).hash);
  assert.equal(found.ticket, "t/=+&#x");
  assert.equal(found.place, "/album/a1");
  assert.deepEqual(found.unfinished, names.slice(0, 40));
});
