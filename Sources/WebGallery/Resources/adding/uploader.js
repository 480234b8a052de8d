// Performs what the queue decides: hashing, asking, sending, taking back.

import { ApiError, address, request } from "../shared/api.js";
import { Hasher } from "./hasher.js";
import { UploadMemory } from "./memory.js";
import { UploadQueue } from "./queue.js";
import { sendRequest } from "./transport.js";
import { UploadFailure, base64, terminate, upload } from "./tus.js";

/** Everything that is on its way from this page. Dispatches `change`, and `added` with `{photo, album}`. */
export class Uploader extends EventTarget {
  #queue;
  #memory = new UploadMemory();
  #hasher = null;
  #files = new Map();
  #controllers = new Map();
  #timer = null;

  /** @param {{fileBytesMax: number}} limits */
  constructor({ fileBytesMax }) {
    super();
    this.#queue = new UploadQueue({ fileBytesMax, saved: this.#memory.load(), now: Date.now() });
    addEventListener("online", () => this.#wake());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    addEventListener("beforeunload", (event) => {
      // Browsers ask only on behalf of a person who touched the page.
      const isTouched = navigator.userActivation?.hasBeenActive ?? true;
      // On its way to another laptop the page has asked already.
      const isMoving = document.body.dataset.live === "moving";
      if (this.#queue.unfinishedCount > 0 && isTouched && !isMoving) event.preventDefault();
    });
  }

  /** The items for the page, as queue.js describes them; not to be changed. */
  get items() {
    return this.#queue.items;
  }

  get summary() {
    return this.#queue.summary;
  }

  /** Files of an earlier life of this page that have to be picked again. */
  get left() {
    return this.#queue.left;
  }

  get unfinishedCount() {
    return this.#queue.unfinishedCount;
  }

  get fileBytesMax() {
    return this.#queue.fileBytesMax;
  }

  get isSuspended() {
    return this.#queue.isSuspended;
  }

  /**
   * Adds files to an album.
   * @param {File[]} files
   * @param {string} album
   * @param {string | null} [albumName] Of an album that is to be made: `album` is the identifier that it will have.
   */
  add(files, album, albumName = null) {
    const described = files.map((file) => ({ name: file.name, size: file.size, modified: file.lastModified }));
    const { items, directives } = this.#queue.add(described, album, Date.now(), albumName);
    items.forEach((item, index) => this.#files.set(item.id, files[index]));
    this.#perform(directives);
  }

  cancel(id) {
    this.#perform(this.#queue.cancel(id, Date.now()));
  }

  retry(id) {
    this.#perform(this.#queue.retry(id, Date.now()));
  }

  takeBack(id) {
    this.#perform(this.#queue.takeBack(id));
  }

  clearFinished() {
    this.#perform(this.#queue.clearFinished());
  }

  dropLeft() {
    this.#perform(this.#queue.dropLeft());
  }

  /** The laptop answers again. */
  wake() {
    this.#wake();
  }

  /** The session ended. */
  suspend() {
    this.#perform(this.#queue.suspend());
  }

  #wake() {
    const now = Date.now();
    this.#perform(this.#queue.isSuspended ? this.#queue.resume(now) : this.#queue.wake(now));
  }

  #perform(directives) {
    for (const directive of directives) {
      switch (directive.do) {
        case "hash":
          this.#hash(directive.id);
          break;
        case "ask":
          this.#ask(directive.ids);
          break;
        case "send":
          this.#send(directive.id);
          break;
        case "stop":
          this.#stop(directive);
          break;
        case "takeBack":
          this.#takeBack(directive.id);
          break;
        case "save":
          this.#memory.save(this.#queue.saved());
          break;
      }
    }
    this.#forgetFinishedFiles();
    this.#setTimer();
    this.dispatchEvent(new Event("change"));
  }

  async #hash(id) {
    this.#hasher ??= new Hasher();
    try {
      const facts = await this.#hasher.facts(this.#files.get(id));
      this.#perform(this.#queue.hashed(id, facts, Date.now()));
    } catch (error) {
      this.#perform(this.#queue.failed(id, failureOf(error), Date.now()));
    }
  }

  async #ask(ids) {
    const items = ids.map((id) => this.#queue.item(id)).filter((item) => item !== undefined);
    try {
      const answer = items.length === 0 ? { here: [] } : await request(address(["uploads", "known"]), {
        method: "POST",
        body: {
          album: items[0].album,
          album_name: items[0].albumName ?? undefined,
          files: items.map(({ sha256, name, modified }) => ({ sha256, filename: name, lastmodified: modified })),
        },
      });
      const here = new Set(answer.here);
      this.#perform(this.#queue.asked(answer.here, Date.now()));
      for (const { sha256, album } of items) if (here.has(sha256)) this.#tellAdded(sha256, album);
    } catch (error) {
      this.#perform(this.#queue.askFailed(failureOf(error), Date.now()));
    }
  }

  async #send(id) {
    const item = this.#queue.item(id);
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    try {
      const outcome = await upload({
        file: this.#files.get(id),
        metadata: {
          filename: item.name, album: item.album, album_name: item.albumName, lastmodified: String(item.modified),
          sha256: item.sha256,
        },
        url: item.url,
        endpoint: address(["uploads"]),
        send: sendRequest,
        checksum: (chunk) => this.#checksum(item, chunk),
        onCreated: (url) => this.#perform(this.#queue.created(id, url, Date.now())),
        onProgress: (sent) => this.#perform(this.#queue.progressed(id, sent)),
        signal: controller.signal,
      });
      this.#controllers.delete(id);
      this.#perform(this.#queue.sent(id, outcome, Date.now()));
      if (item.state === "here" && item.photo !== null) this.#tellAdded(item.photo, item.album);
    } catch (error) {
      this.#controllers.delete(id);
      this.#perform(this.#queue.failed(id, failureOf(error), Date.now()));
    }
  }

  async #checksum(item, chunk) {
    // A file of one chunk was hashed already.
    if (item.sha256 !== null && chunk.size === item.size) return base64(bytesOfHex(item.sha256));
    this.#hasher ??= new Hasher();
    return this.#hasher.checksum(chunk);
  }

  async #stop({ id, url }) {
    this.#controllers.get(id)?.abort();
    this.#controllers.delete(id);
    if (url !== null) await terminate({ send: sendRequest, url });
  }

  async #takeBack(id) {
    const { album, photo } = this.#queue.item(id);
    try {
      await request(address(["albums", album, "photos", photo]), { method: "DELETE" });
      this.#perform(this.#queue.tookBack(id, true, Date.now()));
      this.dispatchEvent(new CustomEvent("taken-back", { detail: { photo, album } }));
    } catch (error) {
      // What is gone already is taken back.
      this.#perform(this.#queue.tookBack(id, error.status === 404, Date.now()));
      if (error.status !== 404) this.dispatchEvent(new CustomEvent("problem", { detail: { message: error.message } }));
    }
  }

  #tellAdded(photo, album) {
    this.dispatchEvent(new CustomEvent("added", { detail: { photo, album } }));
  }

  /** A finished file is let go of: phones keep a copy for each. A refused one may be tried again. */
  #forgetFinishedFiles() {
    for (const id of this.#files.keys()) {
      const item = this.#queue.item(id);
      if (item === undefined || item.state === "here" || item.state === "already") this.#files.delete(id);
    }
  }

  #setTimer() {
    clearTimeout(this.#timer);
    const deadline = this.#queue.nextDeadline;
    if (deadline === null) return;
    this.#timer = setTimeout(() => this.#perform(this.#queue.tick(Date.now())), Math.max(0, deadline - Date.now()));
  }
}

function bytesOfHex(hex) {
  return Uint8Array.from(hex.match(/../g), (digits) => parseInt(digits, 16));
}

/** What the queue is told of an error. */
function failureOf(error) {
  if (error instanceof UploadFailure) {
    return { kind: error.kind, retryAfter: error.retryAfter, code: error.code, text: error.text };
  }
  if (error instanceof ApiError) {
    if (error.status === 0) return { kind: "network" };
    if (error.status === 401) return { kind: "signed-out" };
    if (error.status === 429 || error.status >= 500) return { kind: "busy", retryAfter: error.retryAfter };
    return { kind: "refused", code: error.code, text: error.message };
  }
  throw error;
}
