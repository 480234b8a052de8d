// Reads files in a worker, or in the page where a browser knows no module workers.

import { chunkChecksum, fileFacts } from "./hashing.js";
import { UploadFailure } from "./tus.js";

/** One worker and the questions that it has not answered yet. */
export class Hasher {
  #worker = null;
  #waiting = new Map();
  #nextID = 1;

  constructor() {
    try {
      this.#worker = new Worker(new URL("./hash-worker.js", import.meta.url), { type: "module" });
    } catch {
      // Old browsers know no module workers: the page reads the files itself.
      return;
    }
    this.#worker.addEventListener("message", ({ data }) => this.#settle(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#readHere();
    });
  }

  /** What a file is, as `fileFacts` returns it. @param {Blob} file */
  facts(file) {
    return this.#ask("file", file);
  }

  /** SHA-256 of a chunk in base64. @param {Blob} chunk */
  checksum(chunk) {
    return this.#ask("chunk", chunk);
  }

  #ask(kind, file) {
    if (this.#worker === null) return readHere(kind, file);
    return new Promise((resolve, reject) => {
      const id = this.#nextID++;
      this.#waiting.set(id, { kind, file, resolve, reject });
      this.#worker.postMessage({ id, kind, file });
    });
  }

  #settle({ id, result, failure }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure === undefined) waiting?.resolve(result);
    else waiting?.reject(new UploadFailure(failure));
  }

  /** The worker could not be loaded, or broke: whatever it owes is read here. */
  #readHere() {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { kind, file, resolve, reject } of waiting) readHere(kind, file).then(resolve, reject);
  }
}

async function readHere(kind, file) {
  try {
    return await (kind === "file" ? fileFacts(file) : chunkChecksum(file));
  } catch {
    throw new UploadFailure("unreadable");
  }
}
