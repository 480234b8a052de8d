// Takes a page to another laptop when its own one is silent.

import { unfinishedNames } from "../adding/memory.js";
import { ApiError, address, request } from "../shared/api.js";
import { makeSheet, showDialog } from "../shared/dialog.js";
import { make } from "../shared/elements.js";
import { live } from "../shared/live.js";
import { plural } from "../shared/words.js";
import { movingLink } from "./fragment.js";
import { MovingPlan } from "./moving-plan.js";

const TICK_DELAY = 1_000;
const CHECK_DELAY_MAX = 3_000;
/** The frame that probes gives up a laptop after 3 s; its answer is late after this. */
const PROBE_DELAY_MAX = 6_000;

/** The newest ticket. The first one comes as soon as the stream stands, often before a page knows who looks at it. */
let newestTicket = null;
live.on("ticket", ({ ticket }) => { newestTicket = ticket; });

/**
 * Watches the own laptop, for as long as the page lives. Import this module before the stream starts.
 *
 * @param {object} options
 * @param {{gathering: string}} options.me
 * @param {() => number} [options.unfinished] How many files are still to be sent from here.
 * @param {() => string} [options.place] Path to go on at.
 */
export function startMoving({ me, unfinished = () => 0, place = () => location.pathname }) {
  const mover = new Mover({ gathering: me.gathering, unfinished, place });
  mover.start();
}

class Mover {
  #options;
  #plan = new MovingPlan({ now: performance.now() });
  #frame = null;
  #endProbe = null;
  #question = null;

  constructor(options) {
    this.#options = options;
  }

  start() {
    if (newestTicket !== null) this.#plan.setTicket(newestTicket);
    live.on("any", () => this.#heard());
    live.on("open", () => {
      this.#heard();
      this.#loadLaptops();
    });
    live.on("laptops.changed", () => this.#loadLaptops());
    live.on("ticket", ({ ticket }) => this.#plan.setTicket(ticket));
    addEventListener("message", (event) => this.#frameAnswered(event));
    this.#loadLaptops();
    setInterval(() => this.#tick(), TICK_DELAY);
  }

  #tick() {
    const now = performance.now();
    // The stream's comments are signs of life too.
    if (live.state === "live" && live.silence < TICK_DELAY) this.#heard();
    this.#perform(this.#plan.tick(now, {
      isVisible: document.visibilityState === "visible", unfinishedCount: this.#options.unfinished(),
    }));
  }

  #heard() {
    this.#perform(this.#plan.heard(performance.now()));
  }

  #perform(directives) {
    for (const directive of directives) {
      switch (directive.do) {
        case "check":
          this.#check();
          break;
        case "probe":
          this.#probe(directive.origins);
          break;
        case "ask":
          this.#ask(directive.laptop);
          break;
        case "withdraw":
          this.#question?.close("");
          break;
        case "go":
          this.#go(directive);
          break;
      }
    }
  }

  async #check() {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), CHECK_DELAY_MAX);
    try {
      await request(address(["alive"]), { signal: controller.signal });
      this.#heard();
    } catch (error) {
      // An answer with an error status is a sign of life as well; silence is what the plan counts by itself.
      if (error instanceof ApiError && error.status > 0) this.#heard();
    } finally {
      clearTimeout(timer);
    }
  }

  async #loadLaptops() {
    try {
      const { laptops } = await request(address(["laptops"]));
      this.#plan.setLaptops(laptops);
      if (laptops.some((laptop) => !laptop.here)) this.#loadFrame();
    } catch (error) {
      // The list that was known stays; the next event or connection asks again.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** The frame has to be here before the laptop goes; its policy names the laptops that were known when it was loaded. */
  #loadFrame() {
    this.#frame?.remove();
    this.#frame = make("iframe", {
      src: "/probe/", class: "unseen", title: "Looks for other laptops", "aria-hidden": "true", tabindex: "-1",
    });
    document.body.append(this.#frame);
  }

  #probe(origins) {
    const timer = setTimeout(() => this.#endProbe?.(null), PROBE_DELAY_MAX);
    this.#endProbe = (origin) => {
      clearTimeout(timer);
      this.#endProbe = null;
      this.#perform(this.#plan.probed(origin, performance.now(), { unfinishedCount: this.#options.unfinished() }));
    };
    const message = { probe: origins, gathering: this.#options.gathering };
    this.#frame?.contentWindow?.postMessage(message, location.origin);
  }

  #frameAnswered(event) {
    if (event.origin !== location.origin || event.source !== this.#frame?.contentWindow) return;
    if (event.data !== null && typeof event.data === "object" && "found" in event.data) this.#endProbe?.(event.data.found);
  }

  async #ask(laptop) {
    const count = this.#options.unfinished();
    const dialog = makeSheet(
      "This laptop no longer answers",
      make(
        "p", {}, `${plural(count, "file")} of yours ${count === 1 ? "is" : "are"} still to be sent. `,
        `${laptop.name} is there: you can go on with it, and pick ${count === 1 ? "that file" : "those files"} again. `,
        "Or wait here until this laptop is back.",
      ),
      make(
        "div", { class: "chips" },
        make(
          "button", { type: "button", class: "button button-main", onclick: () => dialog.close("go") },
          `Go to ${laptop.name}`,
        ),
        make("button", { type: "button", class: "button", onclick: () => dialog.close("") }, "Wait here"),
      ),
    );
    this.#question = dialog;
    const answer = await showDialog(dialog, { closesOutside: false });
    this.#question = null;
    this.#perform(this.#plan.answered(answer === "go", performance.now()));
  }

  #go({ origin, ticket }) {
    const link = movingLink(origin, { ticket, place: this.#options.place(), unfinished: unfinishedNames() });
    live.leave();
    location.replace(link);
  }
}
