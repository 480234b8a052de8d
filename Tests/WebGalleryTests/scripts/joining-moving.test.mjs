// Shows when a page leaves its laptop, with a clock in the test's hand: 5 s of being awake, 60 s and a question while
// files are unfinished, the time anew after sleep, and never while the laptop is heard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MOVING_LIMITS, MovingPlan } from "../../../Sources/WebGallery/Resources/joining/moving-plan.js";

const bens = "http://10.0.0.6:4712";
const ben = { device: "b", name: "Ben's laptop", origins: [bens], here: false };
const own = { device: "a", name: "Grandma's laptop", origins: ["http://10.0.0.5:4712"], here: true };

/** A plan with a ticket and another laptop, and a clock that ticks once a second. */
function bench({ unfinishedCount = 0, random = () => 0, laptops = [own, ben], ticket = "t1" } = {}) {
  const plan = new MovingPlan({ now: 0, random });
  plan.setLaptops(laptops);
  if (ticket !== null) plan.setTicket(ticket);
  const page = { isVisible: true, unfinishedCount };
  return {
    plan, page, now: 0, done: [],
    /** Lets seconds pass, and returns the directives but the checks, each with its second. */
    pass(seconds) {
      const found = [];
      for (let count = 0; count < seconds; count += 1) {
        this.now += 1000;
        for (const directive of plan.tick(this.now, page)) {
          if (directive.do !== "check") found.push([this.now / 1000, directive.do]);
        }
      }
      return found;
    },
    probed(origin) {
      return plan.probed(origin, this.now, page);
    },
  };
}

test("looks for another laptop after 5 s of silence, and goes to the first that answers", () => {
  const run = bench();
  assert.deepEqual(run.pass(4), []);
  assert.deepEqual(run.pass(1), [[5, "probe"]]);
  assert.deepEqual(run.pass(3), [], "one round at a time");
  assert.deepEqual(run.probed(bens), [{ do: "go", origin: bens, ticket: "t1" }]);
  assert.deepEqual(run.pass(100), []);
});

test("probes the others alone", () => {
  const run = bench();
  for (let second = 1; second <= 4; second += 1) run.plan.tick(second * 1000, run.page);
  const [probe] = run.plan.tick(5000, run.page).filter((directive) => directive.do === "probe");
  assert.deepEqual(probe.origins, [bens]);
});

test("tries all addresses of a laptop, and goes to the one that answers", () => {
  const origins = [1, 2, 3, 4, 5].map((number) => `http://10.0.${number}.6:4712`);
  const run = bench({ laptops: [own, { ...ben, origins }, { device: "c", name: "Anna's", origins: ["http://10.0.0.7:1"] }] });
  for (let second = 1; second <= 4; second += 1) run.plan.tick(second * 1000, run.page);
  const [probe] = run.plan.tick(5000, run.page).filter((directive) => directive.do === "probe");
  assert.deepEqual(probe.origins, [...origins.slice(0, 4), "http://10.0.0.7:1"]);
  assert.deepEqual(run.probed(origins[4]), [], "the fifth was not asked");
  run.pass(12);
  assert.deepEqual(run.probed(origins[2]), [{ do: "go", origin: origins[2], ticket: "t1" }]);
});

test("stays while the laptop is heard", () => {
  const run = bench();
  for (let round = 0; round < 50; round += 1) {
    assert.deepEqual(run.pass(4), []);
    run.plan.heard(run.now);
  }
});

test("asks its own laptop for a sign of life while it is silent, not while it is heard", () => {
  const run = bench();
  const checks = [];
  for (let second = 1; second <= 4; second += 1) {
    for (const directive of run.plan.tick(second * 1000, run.page)) checks.push([second, directive.do]);
  }
  assert.deepEqual(checks, [[2, "check"], [4, "check"]]);
});

test("gives the laptop its 5 s anew after sleep, and while the page is hidden", () => {
  const run = bench();
  run.pass(3);
  run.now += 3_600_000;
  assert.deepEqual(run.pass(1), [], "an hour of sleep counts nothing");
  assert.deepEqual(run.pass(4), []);
  assert.deepEqual(run.pass(1).length, 1);
  const hidden = bench();
  hidden.page.isVisible = false;
  assert.deepEqual(hidden.pass(600), []);
  hidden.page.isVisible = true;
  assert.deepEqual(hidden.pass(4), []);
  assert.deepEqual(hidden.pass(1), [[605, "probe"]]);
});

test("does not leave on the answer to a probe from before the sleep", () => {
  const run = bench();
  run.pass(5);
  run.now += 3_600_000;
  run.pass(1);
  assert.deepEqual(run.probed(bens), []);
});

test("does not leave where its own laptop came back while others were asked", () => {
  const run = bench();
  run.pass(5);
  run.plan.heard(run.now);
  assert.deepEqual(run.probed(bens), []);
});

test("spreads the probes of many phones over 2 s", () => {
  const seconds = [0, 0.25, 0.5, 0.99].map((value) => bench({ random: () => value }).pass(10)[0][0]);
  assert.deepEqual(seconds, [5, 6, 6, 7]);
});

test("asks again later where nobody answered", () => {
  const run = bench();
  run.pass(5);
  assert.deepEqual(run.probed(null), []);
  assert.deepEqual(run.pass(4), []);
  assert.deepEqual(run.pass(1), [[10, "probe"]]);
  assert.deepEqual(run.probed("http://elsewhere:1"), [], "nobody goes where no laptop was named");
});

test("waits 60 s with unfinished files, then asks; “wait” gives another 60 s", () => {
  const run = bench({ unfinishedCount: 12 });
  assert.deepEqual(run.pass(59), []);
  assert.deepEqual(run.pass(1), [[60, "probe"]]);
  assert.deepEqual(run.probed(bens), [{ do: "ask", laptop: ben }]);
  assert.deepEqual(run.pass(30), [], "nothing happens while the question stands");
  assert.deepEqual(run.plan.answered(false, run.now), []);
  assert.deepEqual(run.pass(59), []);
  assert.deepEqual(run.pass(1), [[150, "probe"]]);
  run.probed(bens);
  assert.deepEqual(run.plan.answered(true, run.now), [{ do: "go", origin: bens, ticket: "t1" }]);
});

test("takes its question back where the laptop answers again", () => {
  const run = bench({ unfinishedCount: 1 });
  run.pass(60);
  run.probed(bens);
  assert.deepEqual(run.plan.heard(run.now), [{ do: "withdraw" }]);
  assert.deepEqual(run.plan.answered(true, run.now), [], "a late yes leads nowhere");
});

test("leaves with the newest ticket, and not without one, nor without another laptop", () => {
  const run = bench();
  run.plan.setTicket("t2");
  run.pass(5);
  assert.equal(run.probed(bens)[0].ticket, "t2");
  assert.deepEqual(bench({ ticket: null }).pass(100), []);
  assert.deepEqual(bench({ laptops: [own] }).pass(100), []);
});

test("does not take a hostile address for a laptop", () => {
  for (const origin of ["javascript:alert(1)", "http://x/y", "https://x", "http://", null, "http://x#y", "http://u@x"]) {
    const { plan } = bench({ laptops: [{ ...ben, origins: [origin] }] });
    assert.equal(plan.canMove, false, String(origin));
  }
  assert.equal(bench({ laptops: [{ ...ben, origins: ["http://u@x", "http://[fd00::6]:4712"] }] }).plan.canMove, true);
  assert.equal(MOVING_LIMITS.silenceMax, 5000);
});
