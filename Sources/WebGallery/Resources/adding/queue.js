// The queue of files on their way from this browser to the laptop, without any input or output of its own.

/** Bounds of the queue. Times are milliseconds. */
export const QUEUE_LIMITS = Object.freeze({
  /** Files that are sent at one time. Six connections to a host are all that a browser has. */
  sendingCountMax: 2,
  /** Files that are hashed before one of them is sent: hashing everything first would warm a phone for nothing. */
  hashedAheadCountMax: 30,
  /** Files that one request asks about. */
  askedCountMax: 100,
  /** Larger files are sent without asking first: hashing 256 MB takes a phone several seconds. */
  hashedByteCountMax: 256 * 1024 * 1024,
  retryDelayMin: 1_000,
  retryDelayMax: 30_000,
  /** How long the laptop locks an upload whose connection it has not given up yet. */
  lockedDelay: 2_000,
  /** Times that a chunk may arrive damaged before the file counts as changed while it was sent. */
  damagedCountMax: 5,
  /** Times that the laptop may lose an upload before the file is refused. */
  lostCountMax: 5,
  /** The laptop keeps an unfinished upload for 24 hours. */
  recordAgeMax: 24 * 3_600_000,
  recordCountMax: 500,
});

/** States in which nothing more happens without a person. */
const FINISHED = new Set(["here", "already", "refused"]);

/**
 * A state machine that decides what happens to each file, and when.
 *
 * Every method takes the time in milliseconds and returns directives for the shell to perform: `{do: "hash", id}`,
 * `{do: "ask", ids}`, `{do: "send", id}`, `{do: "stop", id, url}`, `{do: "takeBack", id}` and `{do: "save"}`.
 * An item's `state` is what the page shows:
 *
 *     waiting → hashing → waiting → sending → here
 *        │         │          │         ├────→ already
 *        └─────────┴──────────┴─────────┴────→ refused → waiting (a person retries)
 *
 * A failure that may pass leads back to waiting, with a delay. `nextDeadline` says when to call `tick`.
 */
export class UploadQueue {
  /** Items in the order in which they were added. */
  items = [];
  /** Files that an earlier life of this page did not finish: `{key, name, size, modified}`. */
  left = [];

  #records = new Map();
  #random;
  #nextID = 1;
  #isSuspended = false;
  #askedIDs = null;
  #askRetryAt = 0;
  #askFailureCount = 0;

  /**
   * @param {{fileBytesMax?: number, random?: () => number, saved?: object, now?: number}} options `saved` is what
   *   `saved()` returned in an earlier life of the page.
   */
  constructor({ fileBytesMax = Infinity, random = Math.random, saved = null, now = 0 } = {}) {
    this.fileBytesMax = fileBytesMax;
    this.#random = random;
    for (const record of saved?.records ?? []) {
      if (typeof record?.key !== "string" || typeof record.url !== "string") continue;
      if (!(now - record.at < QUEUE_LIMITS.recordAgeMax)) continue;
      this.#records.set(recordKey(record.key, record.album), record);
    }
    this.left = (saved?.unfinished ?? []).filter((file) => typeof file?.name === "string");
  }

  /** The next time at which `tick` has something to do; `null` while nothing waits for a time. */
  get nextDeadline() {
    if (this.#isSuspended) return null;
    const times = this.items.filter((item) => item.state === "waiting" && item.retryAt > 0).map((item) => item.retryAt);
    if (this.#askRetryAt > 0) times.push(this.#askRetryAt);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** Counts for the bar: files and bytes, all and finished. */
  get summary() {
    const summary = { total: 0, finished: 0, here: 0, already: 0, refused: 0, sending: 0, bytes: 0, sentBytes: 0 };
    for (const item of this.items) {
      summary.total += 1;
      summary.bytes += item.size;
      if (FINISHED.has(item.state)) {
        summary.finished += 1;
        summary[item.state] += 1;
        summary.sentBytes += item.size;
      } else {
        if (item.state === "sending") summary.sending += 1;
        summary.sentBytes += item.sent;
      }
    }
    return summary;
  }

  /** Files that are still to be sent. */
  get unfinishedCount() {
    return this.items.reduce((count, item) => count + (FINISHED.has(item.state) ? 0 : 1), 0);
  }

  /** Whether the session has ended, so that nothing moves until `resume`. */
  get isSuspended() {
    return this.#isSuspended;
  }

  /** What a reload has to know; plain values for `JSON.stringify`. */
  saved() {
    const records = [...this.#records.values()].slice(-QUEUE_LIMITS.recordCountMax);
    const unfinished = this.items
      .filter((item) => !FINISHED.has(item.state))
      .map(({ key, name, size, modified }) => ({ key, name, size, modified }));
    return { records, unfinished: [...this.left, ...unfinished].slice(0, QUEUE_LIMITS.recordCountMax) };
  }

  /** The item with this identifier, or `undefined`. */
  item(id) {
    return this.items.find((item) => item.id === id);
  }

  /**
   * Adds files that a person picked.
   * @param {{name: string, size: number, modified: number}[]} files
   * @param {string} album The album's identifier.
   * @param {number} now
   * @param {string | null} [albumName] Of an album that the first of them makes.
   * @returns {{items: object[], directives: object[]}} The new items, in the order of `files`.
   */
  add(files, album, now, albumName = null) {
    const items = files.map((file) => this.#newItem(file, album, albumName));
    this.items.push(...items);
    return { items, directives: [...this.#advance(now), { do: "save" }] };
  }

  /** The worker hashed a file. `sha256` is `null` for a file that is too large; `key` names its bytes all the same. */
  hashed(id, { sha256, key, arrived = null }, now) {
    const item = this.item(id);
    if (item?.state !== "hashing") return [];
    item.sha256 = sha256;
    item.key = key;
    item.arrived = arrived;
    item.url = this.#records.get(recordKey(key, item.album))?.url ?? null;
    item.step = sha256 === null ? "send" : "ask";
    item.state = "waiting";
    this.#noLongerLeft(item);
    return this.#advance(now);
  }

  /** The laptop answered which of the files that were asked about it has. */
  asked(hereHashes, now) {
    const here = new Set(hereHashes);
    for (const id of this.#askedIDs ?? []) {
      const item = this.item(id);
      if (item?.step !== "ask") continue;
      if (here.has(item.sha256)) {
        this.#finish(item, "already", { photo: item.sha256 });
      } else if (item.isLost && item.lostCount >= QUEUE_LIMITS.lostCountMax) {
        this.#finish(item, "refused", { reason: { code: "lost" } });
      } else {
        item.step = "send";
        item.isLost = false;
      }
    }
    this.#askedIDs = null;
    this.#askFailureCount = 0;
    this.#askRetryAt = 0;
    return [...this.#advance(now), { do: "save" }];
  }

  /** The laptop could not be asked. A refusal leads on to sending, where each file gets its own answer. */
  askFailed({ kind, retryAfter = 0 }, now) {
    const ids = this.#askedIDs ?? [];
    this.#askedIDs = null;
    if (kind === "signed-out") return this.suspend();
    if (kind === "refused") {
      for (const id of ids) {
        const item = this.item(id);
        if (item?.step === "ask") item.step = "send";
      }
    } else {
      this.#askFailureCount += 1;
      this.#askRetryAt = now + Math.max(retryAfter, this.#delay(this.#askFailureCount));
    }
    return this.#advance(now);
  }

  /** The laptop made a place for an upload. */
  created(id, url, now) {
    const item = this.item(id);
    if (item?.state !== "sending") return [];
    item.url = url;
    if (item.key === null) return [];
    const key = recordKey(item.key, item.album);
    this.#records.delete(key);
    this.#records.set(key, { key: item.key, album: item.album, url, at: now });
    return [{ do: "save" }];
  }

  /** So many bytes of a file are on the laptop. */
  progressed(id, sent) {
    const item = this.item(id);
    if (item?.state !== "sending") return [];
    if (sent > item.sent) item.failureCount = 0;
    item.sent = sent;
    return [];
  }

  /** All bytes are there, and the laptop said what became of them: `here`, `already`, `refused` or `unknown`. */
  sent(id, { state, photo = null, reason = null }, now) {
    const item = this.item(id);
    if (item?.state !== "sending") return [];
    if (state === "refused") {
      this.#finish(item, "refused", { reason: { code: "not-taken", text: reason } });
    } else if (state === "unknown" && item.sha256 !== null) {
      // The answer was lost on its way; the hash tells.
      item.state = "waiting";
      item.step = "ask";
      item.isLost = true;
      item.lostCount += 1;
      item.sent = 0;
      this.#forgetUpload(item);
    } else {
      this.#finish(item, state === "already" ? "already" : "here", { photo: photo ?? item.sha256 });
    }
    return [...this.#advance(now), { do: "save" }];
  }

  /**
   * Hashing or sending stopped.
   * @param {{kind: string, retryAfter?: number, code?: string, text?: string}} failure `kind` is `network`, `busy`,
   *   `locked`, `expired`, `damaged`, `refused`, `unreadable` or `signed-out`.
   */
  failed(id, failure, now) {
    const item = this.item(id);
    if (item === undefined || (item.state !== "sending" && item.state !== "hashing")) return [];
    const step = item.state === "hashing" ? "hash" : "send";
    item.state = "waiting";
    item.step = step;
    switch (failure.kind) {
      case "signed-out":
        return this.suspend();
      case "unreadable":
        this.#finish(item, "refused", { reason: { code: "unreadable" } });
        break;
      case "refused":
        this.#finish(item, "refused", { reason: { code: failure.code ?? "not-taken", text: failure.text } });
        break;
      case "locked":
        item.retryAt = now + Math.max(QUEUE_LIMITS.lockedDelay, failure.retryAfter ?? 0);
        break;
      case "expired":
        item.lostCount += 1;
        item.sent = 0;
        this.#forgetUpload(item);
        if (item.lostCount > QUEUE_LIMITS.lostCountMax) this.#finish(item, "refused", { reason: { code: "lost" } });
        break;
      case "damaged":
        item.damagedCount += 1;
        if (item.damagedCount >= QUEUE_LIMITS.damagedCountMax) {
          this.#finish(item, "refused", { reason: { code: "changed" } });
        }
        break;
      default:
        item.failureCount += 1;
        item.retryAt = now + Math.max(this.#delay(item.failureCount), failure.retryAfter ?? 0);
    }
    return [...this.#advance(now), { do: "save" }];
  }

  /** A delay has passed. */
  tick(now) {
    return this.#advance(now);
  }

  /** The connection is back, or the person is: whatever waits for a time goes on now. */
  wake(now) {
    for (const item of this.items) item.retryAt = 0;
    this.#askRetryAt = 0;
    return this.#advance(now);
  }

  /** The session ended: nothing more is sent until `resume`. */
  suspend() {
    this.#isSuspended = true;
    return [{ do: "save" }];
  }

  /** There is a session again. */
  resume(now) {
    this.#isSuspended = false;
    return this.wake(now);
  }

  /** A person no longer wants a file to be sent; what is there already stays until `takeBack`. */
  cancel(id, now) {
    const item = this.item(id);
    if (item === undefined) return [];
    const directives = [];
    if (!FINISHED.has(item.state)) {
      directives.push({ do: "stop", id, url: item.url });
      this.#forgetUpload(item);
    }
    this.items = this.items.filter((other) => other !== item);
    return [...directives, ...this.#advance(now), { do: "save" }];
  }

  /** A person wants a refused file to be tried again. */
  retry(id, now) {
    const item = this.item(id);
    if (item?.state !== "refused" || item.reason.code === "too-large") return [];
    Object.assign(item, {
      state: "waiting", step: item.key === null ? "hash" : "send", reason: null, retryAt: 0, sent: 0,
      failureCount: 0, lostCount: 0, damagedCount: 0,
    });
    return [...this.#advance(now), { do: "save" }];
  }

  /** A person takes back a photo that this queue brought. What was there before is not taken back. */
  takeBack(id) {
    const item = this.item(id);
    if (item?.state !== "here" || item.photo === null || item.isTakingBack) return [];
    item.isTakingBack = true;
    return [{ do: "takeBack", id }];
  }

  /** The laptop took a photo out of its album, or could not. */
  tookBack(id, isDone, now) {
    const item = this.item(id);
    if (item === undefined) return [];
    item.isTakingBack = false;
    return isDone ? this.cancel(id, now) : [];
  }

  /** A person has seen what is finished: it leaves the list. */
  clearFinished() {
    this.items = this.items.filter((item) => !FINISHED.has(item.state));
    return [{ do: "save" }];
  }

  /** A person says that nothing of an earlier life is to be picked again. */
  dropLeft() {
    this.left = [];
    return [{ do: "save" }];
  }

  // MARK: Helpers

  #newItem({ name, size, modified }, album, albumName) {
    const item = {
      id: this.#nextID++, name, size, modified, album, albumName, state: "waiting", step: "hash", sha256: null, key: null, url: null,
      sent: 0, retryAt: 0, failureCount: 0, lostCount: 0, damagedCount: 0, isLost: false, isTakingBack: false,
      reason: null, photo: null, arrived: null,
    };
    if (size === 0) {
      this.#finish(item, "refused", { reason: { code: "empty" } });
    } else if (size > this.fileBytesMax) {
      this.#finish(item, "refused", { reason: { code: "too-large" } });
    }
    return item;
  }

  /** Starts whatever may start now. */
  #advance(now) {
    if (this.#isSuspended) return [];
    const directives = [];
    this.#startHashing(now, directives);
    this.#startAsking(now, directives);
    this.#startSending(now, directives);
    return directives;
  }

  #startHashing(now, directives) {
    if (this.items.some((item) => item.state === "hashing")) return;
    const aheadCount = this.items.filter(
      (item) => item.state === "waiting" && (item.step === "ask" || item.step === "send")).length;
    if (aheadCount >= QUEUE_LIMITS.hashedAheadCountMax) return;
    const item = this.items.find((item) => item.state === "waiting" && item.step === "hash" && item.retryAt <= now);
    if (item === undefined) return;
    item.state = "hashing";
    item.retryAt = 0;
    directives.push({ do: "hash", id: item.id });
  }

  #startAsking(now, directives) {
    if (this.#askedIDs !== null || this.#askRetryAt > now) return;
    this.#askRetryAt = 0;
    const waiting = this.items.filter((item) => item.state === "waiting" && item.step === "ask");
    if (waiting.length === 0) return;
    // Of equal files the first goes ahead; the others are asked about once it has arrived.
    const ids = [];
    const album = waiting[0].album;
    for (const item of waiting) {
      if (item.album !== album || this.#hasEarlierTwin(item)) continue;
      ids.push(item.id);
      if (ids.length === QUEUE_LIMITS.askedCountMax) break;
    }
    if (ids.length === 0) return;
    this.#askedIDs = ids;
    directives.push({ do: "ask", ids });
  }

  #hasEarlierTwin(item) {
    for (const other of this.items) {
      if (other === item) return false;
      if (other.sha256 === item.sha256 && other.album === item.album && !FINISHED.has(other.state)) return true;
    }
    return false;
  }

  #startSending(now, directives) {
    let sendingCount = this.items.filter((item) => item.state === "sending").length;
    for (const item of this.items) {
      if (sendingCount >= QUEUE_LIMITS.sendingCountMax) return;
      if (item.state !== "waiting" || item.step !== "send" || item.retryAt > now) continue;
      item.state = "sending";
      item.retryAt = 0;
      sendingCount += 1;
      directives.push({ do: "send", id: item.id });
    }
  }

  #finish(item, state, { photo = null, reason = null }) {
    Object.assign(item, { state, step: "done", photo, reason, retryAt: 0, sent: state === "refused" ? 0 : item.size });
    this.#forgetUpload(item);
    if (state !== "refused") this.#noLongerLeft(item);
  }

  #forgetUpload(item) {
    if (item.key !== null) this.#records.delete(recordKey(item.key, item.album));
    item.url = null;
  }

  /** A file of an earlier life is known again by its bytes, else by size and time, else by its name. */
  #noLongerLeft(item) {
    const tests = [
      (file) => file.key !== null && file.key === item.key,
      (file) => file.size === item.size && file.modified === item.modified,
      (file) => file.size === item.size && file.name === item.name,
      // Of a file that began at another laptop only the name came along.
      (file) => file.size === null && file.name === item.name,
    ];
    for (const test of tests) {
      const index = this.left.findIndex(test);
      if (index < 0) continue;
      this.left = this.left.filter((_, other) => other !== index);
      return;
    }
  }

  /** Doubles with each failure in a row, within a quarter more or less, so that phones do not come all at once. */
  #delay(failureCount) {
    const delay = QUEUE_LIMITS.retryDelayMin * 2 ** Math.min(failureCount - 1, 10);
    return Math.min(delay, QUEUE_LIMITS.retryDelayMax) * (0.75 + 0.5 * this.#random());
  }
}

function recordKey(key, album) {
  return `${album} ${key}`;
}
