// Shows the tus client against a small laptop in memory that checks every header, cuts connections, forgets, locks and
// disagrees, as the protocol lets it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  CHUNK_BYTE_COUNT, UploadFailure, metadataHeader, terminate, upload,
} from "../../../Sources/WebGallery/Resources/adding/tus.js";

const endpoint = "/api/v1/uploads";

class Laptop {
  uploads = new Map();
  requests = [];
  /** Called before each request; what it returns is the answer. */
  interfere = () => null;

  send = async ({ method, url, headers, body, onProgress }) => {
    this.requests.push(`${method} ${url}`);
    assert.equal(headers["Tus-Resumable"], "1.0.0");
    const forced = this.interfere({ method, url, headers, body });
    if (forced instanceof Error) throw forced;
    if (forced) return answer(forced.status, forced.headers, forced.text);
    if (method === "POST") {
      const path = `${endpoint}/${this.uploads.size + 1}`;
      this.uploads.set(path, { length: Number(headers["Upload-Length"]), metadata: headers["Upload-Metadata"], parts: [] });
      return answer(201, { Location: `http://10.0.0.5:4712${path}` });
    }
    const found = this.uploads.get(url);
    if (!found) return answer(404);
    if (method === "DELETE") {
      this.uploads.delete(url);
      return answer(204);
    }
    const offset = Buffer.concat(found.parts).length;
    const done = { "Potluck-State": "here", "Potluck-Photo": "f00" };
    if (method === "HEAD") {
      return answer(200, {
        "Upload-Offset": String(offset), "Upload-Length": String(found.length), ...(offset === found.length ? done : {}),
      });
    }
    assert.equal(method, "PATCH");
    assert.equal(headers["Content-Type"], "application/offset+octet-stream");
    if (Number(headers["Upload-Offset"]) !== offset) return answer(409);
    const bytes = Buffer.from(await body.arrayBuffer());
    assert.equal(headers["Upload-Checksum"], `sha256 ${createHash("sha256").update(bytes).digest("base64")}`);
    onProgress(bytes.length);
    found.parts.push(bytes);
    const next = offset + bytes.length;
    return answer(204, { "Upload-Offset": String(next), ...(next === found.length ? done : {}) });
  };
}

function answer(status, headers = {}, text = "") {
  const known = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { status, header: (name) => known.get(name.toLowerCase()) ?? null, text };
}

async function checksum(chunk) {
  return createHash("sha256").update(Buffer.from(await chunk.arrayBuffer())).digest("base64");
}

/** A file with bytes that differ from chunk to chunk. */
function fileOf(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 4096) bytes.writeUInt32BE(at, Math.min(at, size - 4));
  return new Blob([bytes]);
}

function job(laptop, file, more = {}) {
  return {
    file, metadata: { filename: "Strand ü.jpg", album: "a1", lastmodified: "5", sha256: "" }, url: null, endpoint,
    send: laptop.send, checksum, onCreated: () => {}, onProgress: () => {}, signal: new AbortController().signal, ...more,
  };
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof UploadFailure, String(error));
    return error;
  }
  assert.fail("it should have failed");
}

test("sends a file in chunks of 8 MiB and returns what became of it", async () => {
  const laptop = new Laptop();
  const file = fileOf(2 * CHUNK_BYTE_COUNT + 5);
  const created = [];
  const progress = [];
  const result = await upload(job(laptop, file, {
    onCreated: (url) => created.push(url), onProgress: (sent) => progress.push(sent),
  }));
  assert.deepEqual(result, { state: "here", photo: "f00", reason: null });
  assert.deepEqual(created, [`${endpoint}/1`], "the path alone, whatever address the laptop writes");
  assert.deepEqual(laptop.requests.map((request) => request.split(" ")[0]), ["POST", "PATCH", "PATCH", "PATCH"]);
  const { parts, metadata } = laptop.uploads.get(created[0]);
  assert.deepEqual(Buffer.concat(parts), Buffer.from(await file.arrayBuffer()));
  assert.equal(metadata, `filename ${Buffer.from("Strand ü.jpg").toString("base64")},album YTE=,lastmodified NQ==`);
  assert.deepEqual(progress, [...progress].sort((a, b) => a - b));
  assert.equal(progress.at(-1), file.size);
});

test("goes on where a cut connection ended", async () => {
  const laptop = new Laptop();
  const file = fileOf(3 * CHUNK_BYTE_COUNT);
  let url = null;
  let patchCount = 0;
  laptop.interfere = ({ method }) => {
    if (method !== "PATCH") return null;
    patchCount += 1;
    return patchCount === 2 ? new Error("cut") : null;
  };
  const first = await failure(upload(job(laptop, file, { onCreated: (made) => { url = made; } })));
  assert.equal(first.kind, "network");
  laptop.requests = [];
  const result = await upload(job(laptop, file, { url }));
  assert.equal(result.state, "here");
  assert.deepEqual(laptop.requests.map((request) => request.split(" ")[0]), ["HEAD", "PATCH", "PATCH"]);
  assert.deepEqual(Buffer.concat(laptop.uploads.get(url).parts), Buffer.from(await file.arrayBuffer()));
});

test("goes on within a chunk where a killed agent kept a part of it", async () => {
  const laptop = new Laptop();
  const file = fileOf(CHUNK_BYTE_COUNT + 100);
  const bytes = Buffer.from(await file.arrayBuffer());
  laptop.uploads.set("/u/9", { length: file.size, parts: [bytes.subarray(0, 12345)] });
  assert.equal((await upload(job(laptop, file, { url: "/u/9" }))).state, "here");
  assert.deepEqual(Buffer.concat(laptop.uploads.get("/u/9").parts), bytes);
});

test("reads the outcome by HEAD where the last answer was cut off", async () => {
  const laptop = new Laptop();
  const file = fileOf(1000);
  laptop.uploads.set("/u/9", { length: 1000, parts: [Buffer.from(await file.arrayBuffer())] });
  assert.deepEqual(await upload(job(laptop, file, { url: "/u/9" })), { state: "here", photo: "f00", reason: null });
  assert.deepEqual(laptop.requests, ["HEAD /u/9"]);
  laptop.interfere = () => ({ status: 200, headers: { "Upload-Offset": "1000", "Upload-Length": "1000" } });
  assert.equal((await upload(job(laptop, file, { url: "/u/9" }))).state, "unknown");
});

test("asks for the offset after a 409, and gives up a quarrel that does not end", async () => {
  const laptop = new Laptop();
  const file = fileOf(1000);
  let conflictCount = 0;
  laptop.interfere = ({ method }) => (method === "PATCH" && (conflictCount += 1) === 1 ? { status: 409 } : null);
  assert.equal((await upload(job(laptop, file))).state, "here");
  laptop.interfere = ({ method }) => (method === "PATCH" ? { status: 409 } : null);
  assert.equal((await failure(upload(job(laptop, file)))).kind, "busy");
});

test("tells apart what may pass and what does not", async () => {
  const json = JSON.stringify({ error: { code: "quota", message: "That is enough." } });
  const cases = [
    [{ status: 423, headers: { "Retry-After": "3" } }, { kind: "locked", retryAfter: 3000 }],
    [{ status: 410 }, { kind: "expired" }],
    [{ status: 404 }, { kind: "expired" }],
    [{ status: 460 }, { kind: "damaged" }],
    [{ status: 401 }, { kind: "signed-out" }],
    [{ status: 429, headers: { "Retry-After": "7" } }, { kind: "busy", retryAfter: 7000 }],
    [{ status: 503, headers: { "Retry-After": "2" } }, { kind: "busy", retryAfter: 2000 }],
    [{ status: 500 }, { kind: "busy" }],
    [{ status: 413 }, { kind: "refused", code: "status-413" }],
    [{ status: 403, text: json }, { kind: "refused", code: "quota", text: "That is enough." }],
    [{ status: 507 }, { kind: "refused", code: "disk_full" }],
  ];
  for (const [forced, expected] of cases) {
    const laptop = new Laptop();
    laptop.interfere = ({ method }) => (method === "PATCH" ? forced : null);
    const error = await failure(upload(job(laptop, fileOf(10))));
    for (const [key, value] of Object.entries(expected)) assert.equal(error[key], value, `${forced.status} ${key}`);
  }
});

test("does not take an album that is gone for an upload that is gone", async () => {
  const laptop = new Laptop();
  laptop.interfere = () => ({ status: 404 });
  const error = await failure(upload(job(laptop, fileOf(10))));
  assert.deepEqual([error.kind, error.code], ["refused", "no_album"]);
});

test("begins anew where the upload belongs to a file of another length", async () => {
  const laptop = new Laptop();
  laptop.uploads.set("/u/9", { length: 2000, parts: [] });
  assert.equal((await failure(upload(job(laptop, fileOf(1000), { url: "/u/9" })))).kind, "expired");
});

test("does not believe an offset that did not move, or that moved too far", async () => {
  for (const offset of ["0", "11", "-1", "ten", "99999999999999999999"]) {
    const laptop = new Laptop();
    laptop.interfere = ({ method }) => (method === "PATCH" ? { status: 204, headers: { "Upload-Offset": offset } } : null);
    assert.equal((await failure(upload(job(laptop, fileOf(10))))).kind, "busy", offset);
  }
});

test("returns the laptop's refusal of a whole file with its words", async () => {
  const laptop = new Laptop();
  laptop.interfere = ({ method }) => (method === "PATCH"
    ? { status: 204, headers: { "Upload-Offset": "10", "Potluck-State": "refused", "Potluck-Reason": "No%20photo%20%E2%80%93%20a%20letter" } }
    : null);
  assert.deepEqual(await upload(job(laptop, fileOf(10))), { state: "refused", photo: null, reason: "No photo – a letter" });
});

test("ends an upload, and does not mind that it is gone", async () => {
  const laptop = new Laptop();
  laptop.uploads.set("/u/9", { length: 10, parts: [] });
  await terminate({ send: laptop.send, url: "/u/9" });
  assert.equal(laptop.uploads.size, 0);
  laptop.interfere = () => new Error("cut");
  await terminate({ send: laptop.send, url: "/u/9" });
});

test("writes metadata as tus does", () => {
  assert.equal(metadataHeader({ filename: "a b", album: null, sha256: undefined, x: "" }), "filename YSBi");
});
