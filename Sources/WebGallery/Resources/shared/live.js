/**
 * What happens on the laptop, as it happens: one stream of events for a page.
 *
 * A browser has six connections to a laptop over HTTP/1.1, so a page holds one stream and lets go of it while it is
 * hidden. The browser's own `EventSource` cannot send `Last-Event-ID` on a connection that it did not lose itself, so
 * the stream is read with `fetch`: a page that comes back hears all that it missed, or that it has to load afresh.
 */

import { EventReader } from "./event-stream.js";

/** The server writes a comment every 15 s; a stream that is silent for longer than two of them is dead. */
const silenceMax = 35000;
const waitMin = 500;
const waitMax = 15000;
/** A pause shorter than this is not worth a word to the person. */
const lateAfter = 3000;

/** The stream of one page. Get it with {@link live}. */
class Live extends EventTarget {
  #reader = new EventReader();
  #controller = null;
  #retryTimer = 0;
  #silenceTimer = 0;
  #lateTimer = 0;
  #wait = waitMin;
  #isStarted = false;
  #isEnded = false;
  #heardAt = performance.now();

  /** `live`, `waiting` or `moving`. */
  get state() {
    return document.body.dataset.live ?? "waiting";
  }

  /** Milliseconds since anything was heard. Whoever decides by it counts the time of being awake alone. */
  get silence() {
    return performance.now() - this.#heardAt;
  }

  /** Opens the stream, once. */
  start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    document.addEventListener("visibilitychange", () => this.#followVisibility());
    // A page that goes into the browser's back-forward cache must not hold a connection.
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => event.persisted && this.#followVisibility());
    addEventListener("online", () => this.#retryNow());
    this.#setState("waiting");
    this.#followVisibility();
  }

  /**
   * Listens to one kind of event. Besides the laptop's kinds there are `afresh` (load everything again), `open` (the
   * stream stands), `silent` (it broke; the argument has `milliseconds` of silence) and `any` (`{kind, data}`).
   * @param {string} kind
   * @param {(data: any) => void} listener gets the event's JSON
   * @returns {() => void} ends it
   */
  on(kind, listener) {
    const heard = (event) => listener(event.detail);
    this.addEventListener(kind, heard);
    return () => this.removeEventListener(kind, heard);
  }

  /** Says that this page is on its way to another laptop; nothing reconnects any more. */
  leave() {
    this.#isEnded = true;
    this.#close();
    this.#setState("moving");
  }

  #followVisibility() {
    if (this.#isEnded) return;
    if (document.visibilityState === "hidden") {
      this.#close();
    } else if (!this.#controller) {
      this.#wait = waitMin;
      this.#heardAt = performance.now();
      this.#open();
    }
  }

  #retryNow() {
    if (this.#retryTimer === 0) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    this.#wait = waitMin;
    this.#open();
  }

  async #open() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await this.#listen(controller);
    } catch {
      // Every way of breaking is answered in the same way below.
    }
    if (this.#controller !== controller) return;
    this.#close();
    if (this.#isEnded || document.visibilityState === "hidden") return;
    this.#setState("waiting");
    this.#tell("silent", { milliseconds: this.silence });
    // Many phones lose one laptop at the same moment; they must not come back at the same moment.
    this.#retryTimer = setTimeout(() => this.#open(), this.#wait * (0.7 + 0.6 * Math.random()));
    this.#wait = Math.min(this.#wait * 2, waitMax);
  }

  async #listen(controller) {
    const headers = { Accept: "text/event-stream" };
    if (this.#reader.lastID) headers["Last-Event-ID"] = this.#reader.lastID;
    this.#watchSilence();
    const response = await fetch("/api/v1/events", {
      headers, signal: controller.signal, cache: "no-store", credentials: "same-origin",
    });
    if (response.status === 401 || response.status === 410) {
      this.#isEnded = true;
      this.#tell("session.ended", {});
      return;
    }
    if (!response.ok || !response.body) throw new Error(`Events answered ${response.status}`);
    this.#heard();
    this.#wait = waitMin;
    this.#setState("live");
    this.#tell("open", {});
    await this.#readAll(response.body.getReader());
  }

  async #readAll(source) {
    const decoder = new TextDecoder();
    // What is left of a broken event must not become the head of the next one.
    const reader = new EventReader();
    for (;;) {
      const { done, value } = await source.read();
      if (done) return;
      this.#heard();
      for (const event of reader.read(decoder.decode(value, { stream: true }))) {
        if (event.id) this.#reader.read(`id: ${event.id}\n\n`);
        this.#deliver(event);
      }
    }
  }

  #deliver({ kind, data }) {
    let value = {};
    try {
      if (data !== "") value = JSON.parse(data);
    } catch {
      // An event that cannot be read may have said anything: everything is loaded again.
      this.#tell("afresh", {});
      return;
    }
    if (kind === "session.ended") this.#isEnded = true;
    this.#tell(kind, value);
    this.#tell("any", { kind, data: value });
  }

  #heard() {
    this.#heardAt = performance.now();
    this.#watchSilence();
  }

  #watchSilence() {
    clearTimeout(this.#silenceTimer);
    const watched = this.#controller;
    this.#silenceTimer = setTimeout(() => watched?.abort(), silenceMax);
  }

  #close() {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#retryTimer = 0;
    const controller = this.#controller;
    this.#controller = null;
    controller?.abort();
  }

  #setState(state) {
    document.body.dataset.live = state;
    clearTimeout(this.#lateTimer);
    const signs = () => document.querySelectorAll(".connection");
    for (const sign of signs()) sign.removeAttribute("data-late");
    if (state !== "waiting") return;
    this.#lateTimer = setTimeout(() => {
      for (const sign of signs()) sign.setAttribute("data-late", "");
    }, lateAfter);
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** This page's stream. */
export const live = new Live();
