// Shows that every file ends in one of the three final states whatever fails on the way, that two are sent at a time,
// and that a reload knows files again by their hash. Time and chance are arguments; nothing waits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { QUEUE_LIMITS, UploadQueue } from "../../../Sources/WebGallery/Resources/adding/queue.js";

const album = "a1";

function file(name, size = 1000, modified = 5) {
  return { name, size, modified };
}

/** A laptop and a worker that perform directives at once, so that a test can follow a queue to its end. */
class Bench {
  now = 1000;
  active = new Set();
  mostActive = 0;
  performed = [];

  constructor(queue, { here = [], answer = () => ({ sent: { state: "here", photo: "p" } }) } = {}) {
    this.queue = queue;
    this.here = here;
    this.answer = answer;
    this.pending = [];
  }

  take(directives) {
    this.performed.push(...directives);
    this.pending.push(...directives);
  }

  add(files) {
    const { items, directives } = this.queue.add(files, album, this.now);
    this.take(directives);
    return items;
  }

  /** Performs what is pending, and lets time pass where only deadlines are left. */
  run(stepCountMax = 10_000) {
    for (let step = 0; step < stepCountMax; step += 1) {
      const directive = this.pending.shift();
      if (directive === undefined) {
        if (this.queue.nextDeadline === null) return;
        this.now = Math.max(this.now, this.queue.nextDeadline);
        this.take(this.queue.tick(this.now));
        if (this.pending.length === 0) return;
        continue;
      }
      this.perform(directive);
    }
    assert.fail("the queue never comes to rest");
  }

  perform({ do: action, id, ids }) {
    if (action === "hash") {
      const item = this.queue.item(id);
      const isLarge = item.size > QUEUE_LIMITS.hashedByteCountMax;
      this.take(this.queue.hashed(
        id, { sha256: isLarge ? null : `h-${item.size}`, key: `k-${item.size}` }, this.now));
    } else if (action === "ask") {
      this.take(this.queue.asked(this.here, this.now));
      assert.ok(ids.length <= QUEUE_LIMITS.askedCountMax);
    } else if (action === "send") {
      this.active.add(id);
      this.mostActive = Math.max(this.mostActive, this.active.size);
      // Answers come after everything that may start has started.
      this.pending.push({ do: "finish", id });
    } else if (action === "finish") {
      this.active.delete(id);
      const item = this.queue.item(id);
      const answer = this.answer(item);
      if (answer.url) this.take(this.queue.created(id, answer.url, this.now));
      if (answer.failure) this.take(this.queue.failed(id, answer.failure, this.now));
      else this.take(this.queue.sent(id, answer.sent, this.now));
    }
  }
}

const steady = () => 0.5;
const states = (queue) => queue.items.map((item) => item.state);

test("sends two at a time, in order, and all arrive", () => {
  const bench = new Bench(new UploadQueue({ random: steady }));
  bench.add(Array.from({ length: 60 }, (_, index) => file(`${index}.jpg`, 1000 + index)));
  bench.run();
  assert.deepEqual(new Set(states(bench.queue)), new Set(["here"]));
  assert.equal(bench.mostActive, 2);
  assert.equal(bench.queue.unfinishedCount, 0);
  const order = bench.performed.filter((directive) => directive.do === "send").map((directive) => directive.id);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
});

test("sends nothing of what the laptop has", () => {
  const bench = new Bench(new UploadQueue({ random: steady }), { here: ["h-1001"] });
  const [first, second] = bench.add([file("a.jpg", 1001), file("b.jpg", 1002)]);
  bench.run();
  assert.equal(first.state, "already");
  assert.equal(second.state, "here");
  assert.deepEqual(bench.performed.filter((d) => d.do === "send").map((d) => d.id), [second.id]);
});

test("sends one of two equal files, and asks about the other afterwards", () => {
  const bench = new Bench(new UploadQueue({ random: steady }), {
    answer: (item) => {
      bench.here = [item.sha256];
      return { sent: { state: "here", photo: item.sha256 } };
    },
  });
  const [first, second] = bench.add([file("a.jpg"), file("copy of a.jpg")]);
  bench.run();
  assert.deepEqual([first.state, second.state], ["here", "already"]);
});

test("refuses at once what is empty or too large", () => {
  const queue = new UploadQueue({ fileBytesMax: 5000 });
  const { items } = queue.add([file("a", 0), file("b", 5001), file("c", 5000)], album, 0);
  assert.deepEqual(items.map((item) => item.reason?.code ?? null), ["empty", "too-large", null]);
});

test("does not hash large files before it sends them, and still knows them again by their key", () => {
  const size = QUEUE_LIMITS.hashedByteCountMax + 1;
  const bench = new Bench(new UploadQueue({ random: steady }), { answer: () => ({ url: "/u/1", failure: { kind: "network" } }) });
  bench.add([file("long.mov", size)]);
  for (let step = 0; step < 4; step += 1) bench.perform(bench.pending.shift());
  assert.equal(bench.performed.some((directive) => directive.do === "ask"), false);
  const again = new UploadQueue({ saved: bench.queue.saved(), now: 2000 });
  const { items: [item] } = again.add([file("renamed.mov", size)], album, 2000);
  again.hashed(item.id, { sha256: null, key: `k-${size}` }, 2000);
  assert.equal(item.url, "/u/1");
  assert.equal(item.state, "sending");
});

test("waits longer after each failure in a row, at most 30 s, and goes on at once when woken", () => {
  const queue = new UploadQueue({ random: steady });
  const { items: [item] } = queue.add([file("a.jpg")], album, 0);
  queue.hashed(item.id, { sha256: "h", key: "h" }, 0);
  queue.asked([], 0);
  const delays = [];
  let now = 0;
  for (let count = 0; count < 8; count += 1) {
    assert.equal(item.state, "sending");
    queue.failed(item.id, { kind: "network" }, now);
    assert.equal(item.state, "waiting");
    delays.push(queue.nextDeadline - now);
    now = queue.nextDeadline;
    assert.deepEqual(queue.tick(now - 1), []);
    queue.tick(now);
  }
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  queue.failed(item.id, { kind: "network" }, now);
  assert.deepEqual(queue.wake(now), [{ do: "send", id: item.id }]);
});

test("begins with short delays again once bytes move", () => {
  const queue = new UploadQueue({ random: steady });
  const { items: [item] } = queue.add([file("a.jpg")], album, 0);
  queue.hashed(item.id, { sha256: "h", key: "h" }, 0);
  queue.asked([], 0);
  for (let count = 0; count < 4; count += 1) {
    queue.failed(item.id, { kind: "network" }, 0);
    queue.wake(0);
  }
  queue.progressed(item.id, 10);
  queue.failed(item.id, { kind: "network" }, 0);
  assert.equal(queue.nextDeadline, 1000);
});

test("waits as long as the laptop asks for", () => {
  const queue = new UploadQueue({ random: steady });
  const { items: [item] } = queue.add([file("a.jpg")], album, 0);
  queue.hashed(item.id, { sha256: "h", key: "h" }, 0);
  queue.asked([], 0);
  queue.failed(item.id, { kind: "busy", retryAfter: 9000 }, 0);
  assert.equal(queue.nextDeadline, 9000);
  queue.tick(9000);
  queue.failed(item.id, { kind: "locked" }, 9000);
  assert.equal(queue.nextDeadline, 9000 + QUEUE_LIMITS.lockedDelay);
});

test("begins an upload anew that the laptop lost, but not for ever", () => {
  let lossCount = 0;
  const bench = new Bench(new UploadQueue({ random: steady }), {
    answer: () => {
      lossCount += 1;
      return lossCount <= 2 ? { failure: { kind: "expired" } } : { sent: { state: "here", photo: "p" } };
    },
  });
  const [item] = bench.add([file("a.jpg")]);
  bench.run();
  assert.equal(item.state, "here");
  const never = new Bench(new UploadQueue({ random: steady }), { answer: () => ({ failure: { kind: "expired" } }) });
  const [lost] = never.add([file("a.jpg")]);
  never.run();
  assert.equal(lost.reason.code, "lost");
});

test("asks by hash where the last answer was cut off", () => {
  const bench = new Bench(new UploadQueue({ random: steady }), {
    answer: (item) => {
      bench.here = [item.sha256];
      return { sent: { state: "unknown" } };
    },
  });
  const [item] = bench.add([file("a.jpg")]);
  bench.run();
  assert.equal(item.state, "already");
  const never = new Bench(new UploadQueue({ random: steady }), { answer: () => ({ sent: { state: "unknown" } }) });
  const [lost] = never.add([file("a.jpg")]);
  never.run();
  assert.equal(lost.state, "refused");
});

test("refuses a file that arrives damaged again and again", () => {
  const bench = new Bench(new UploadQueue({ random: steady }), { answer: () => ({ failure: { kind: "damaged" } }) });
  const [item] = bench.add([file("a.jpg")]);
  bench.run();
  assert.equal(item.reason.code, "changed");
});

test("stands still while the session has ended, and goes on afterwards", () => {
  let isSignedIn = false;
  const bench = new Bench(new UploadQueue({ random: steady }), {
    answer: () => (isSignedIn ? { sent: { state: "here", photo: "p" } } : { failure: { kind: "signed-out" } }),
  });
  bench.add([file("a.jpg", 1), file("b.jpg", 2), file("c.jpg", 3)]);
  bench.run();
  assert.equal(bench.queue.isSuspended, true);
  assert.equal(bench.queue.unfinishedCount, 3);
  isSignedIn = true;
  bench.take(bench.queue.resume(bench.now));
  bench.run();
  assert.deepEqual(states(bench.queue), ["here", "here", "here"]);
});

test("sends without asking where asking is refused, and asks again where there was no answer", () => {
  const queue = new UploadQueue({ random: steady });
  const { items: [item] } = queue.add([file("a.jpg")], album, 0);
  assert.deepEqual(queue.hashed(item.id, { sha256: "h", key: "h" }, 0), [{ do: "ask", ids: [item.id] }]);
  assert.deepEqual(queue.askFailed({ kind: "network" }, 0), []);
  assert.equal(queue.nextDeadline, 1000);
  assert.deepEqual(queue.tick(1000), [{ do: "ask", ids: [item.id] }]);
  assert.deepEqual(queue.askFailed({ kind: "refused" }, 1000), [{ do: "send", id: item.id }]);
});

test("cancels, stops the upload and forgets where it was", () => {
  const queue = new UploadQueue();
  const { items: [item] } = queue.add([file("a.jpg")], album, 0);
  queue.hashed(item.id, { sha256: "h", key: "h" }, 0);
  queue.asked([], 0);
  queue.created(item.id, "/u/7", 0);
  assert.equal(queue.saved().records.length, 1);
  assert.deepEqual(queue.cancel(item.id, 0)[0], { do: "stop", id: item.id, url: "/u/7" });
  assert.deepEqual(queue.saved(), { records: [], unfinished: [] });
  // What the shell still reports of it changes nothing.
  assert.deepEqual(queue.sent(item.id, { state: "here", photo: "p" }, 0), []);
});

test("takes back what it brought, and not what was there before", () => {
  const bench = new Bench(new UploadQueue({ random: steady }), { here: ["h-2"] });
  const [mine, theirs] = bench.add([file("a.jpg", 1), file("b.jpg", 2)]);
  bench.run();
  assert.deepEqual(bench.queue.takeBack(theirs.id), []);
  assert.deepEqual(bench.queue.takeBack(mine.id), [{ do: "takeBack", id: mine.id }]);
  assert.deepEqual(bench.queue.takeBack(mine.id), [], "once");
  bench.queue.tookBack(mine.id, true, 0);
  assert.deepEqual(bench.queue.items, [theirs]);
});

test("remembers what a reload has to pick again, and knows it by hash, by size and time, or by name", () => {
  const before = new UploadQueue();
  const { items } = before.add([file("IMG_1.HEIC", 10, 1), file("IMG_2.HEIC", 20, 2), file("IMG_3.HEIC", 30, 3)], album, 0);
  before.hashed(items[0].id, { sha256: "h1", key: "h1" }, 0);
  const after = new UploadQueue({ saved: JSON.parse(JSON.stringify(before.saved())), now: 5000 });
  assert.equal(after.left.length, 3);
  const { items: again } = after.add([file("image.heic", 10, 99), file("renamed.heic", 20, 2), file("IMG_3.HEIC", 30, 77)], album, 5000);
  again.forEach((item, index) => {
    after.hashed(item.id, { sha256: `h${index + 1}`, key: `h${index + 1}` }, 5000);
    // Hashing goes one by one.
    if (index === 0) after.asked([], 5000);
  });
  assert.deepEqual(after.left, []);
  assert.equal(after.saved().unfinished.length, 3, "unfinished still, now as items");
});

test("knows by name what began at another laptop", () => {
  const saved = { records: [], unfinished: [{ key: null, name: "a.jpg", size: null, modified: null }] };
  const queue = new UploadQueue({ saved, now: 0 });
  const { items: [other] } = queue.add([file("b.jpg", 10)], album, 0);
  queue.hashed(other.id, { sha256: "hb", key: "hb" }, 0);
  assert.equal(queue.left.length, 1);
  const { items: [same] } = queue.add([file("a.jpg", 20)], album, 0);
  queue.hashed(same.id, { sha256: "ha", key: "ha" }, 0);
  assert.deepEqual(queue.left, []);
});

test("forgets uploads that the laptop has ended by now", () => {
  const saved = { records: [{ key: "h", album, url: "/u/1", at: 0 }], unfinished: [] };
  const now = QUEUE_LIMITS.recordAgeMax;
  assert.deepEqual(new UploadQueue({ saved, now }).saved().records, []);
  assert.equal(new UploadQueue({ saved, now: now - 1 }).saved().records.length, 1);
});

test("ignores what it cannot read of an earlier life", () => {
  const queue = new UploadQueue({ saved: { records: [null, { key: 3 }], unfinished: [null, { name: 4 }] } });
  assert.deepEqual(queue.saved(), { records: [], unfinished: [] });
});

test("tries a refused file again when a person says so", () => {
  let isFull = true;
  const bench = new Bench(new UploadQueue({ random: steady }), {
    answer: () => (isFull ? { failure: { kind: "refused", code: "disk_full" } } : { sent: { state: "here", photo: "p" } }),
  });
  const [item] = bench.add([file("a.jpg")]);
  bench.run();
  assert.equal(item.state, "refused");
  isFull = false;
  bench.take(bench.queue.retry(item.id, bench.now));
  bench.run();
  assert.equal(item.state, "here");
});

test("comes to rest whatever fails, in whatever order", () => {
  // 200 runs with a small generator: each failure kind may strike at each send; the run ends with every file finished.
  for (let seed = 1; seed <= 200; seed += 1) {
    let value = seed;
    const random = () => {
      value = (value * 48271) % 2147483647;
      return value / 2147483647;
    };
    const kinds = ["network", "busy", "locked", "expired", "damaged"];
    const bench = new Bench(new UploadQueue({ random }), {
      answer: (item) => {
        if (random() < 0.4) return { failure: { kind: kinds[Math.floor(random() * kinds.length)] } };
        if (random() < 0.1) return { sent: { state: "unknown" } };
        if (random() < 0.1) return { sent: { state: "refused", reason: "no photo" } };
        bench.here.push(item.sha256);
        return { url: `/u/${item.id}`, sent: { state: "here", photo: item.sha256 } };
      },
    });
    bench.here = [];
    bench.add(Array.from({ length: 12 }, (_, index) => file(`${index}.jpg`, 1 + (index % 7))));
    bench.run();
    assert.equal(bench.queue.unfinishedCount, 0, `seed ${seed}`);
    assert.ok(bench.mostActive <= 2, `seed ${seed}`);
    assert.deepEqual(bench.queue.saved().records, [], `seed ${seed}`);
  }
});

test("keeps with each file the name of the album that it makes, and asks about one album at a time", () => {
  const queue = new UploadQueue({ random: () => 0 });
  const [first] = queue.add([file("a.jpg", 1)], "a2", 0, "Sunday at the lake").items;
  const [second] = queue.add([file("b.jpg", 2)], album, 0).items;
  assert.deepEqual([first.album, first.albumName, second.albumName], ["a2", "Sunday at the lake", null]);
  queue.hashed(first.id, { sha256: "h1", key: "k1" }, 0);
  const directives = queue.hashed(second.id, { sha256: "h2", key: "k2" }, 0);
  assert.deepEqual(directives.filter((directive) => directive.do === "ask"), [], "the first album is being asked about");
});
