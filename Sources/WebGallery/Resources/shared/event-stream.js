/**
 * The text of server-sent events, read piece by piece (WHATWG HTML, section 9.2.6). Pure.
 */

/** Takes text as it arrives and hands out whole events. */
export class EventReader {
  #rest = "";
  #data = [];
  #kind = "";
  #id = "";

  /** The ID of the last event that had one, for `Last-Event-ID`. */
  get lastID() {
    return this.#id;
  }

  /**
   * Reads on.
   * @param {string} text the next piece, cut anywhere
   * @returns {{kind: string, data: string, id: string}[]} the events that are whole now
   */
  read(text) {
    const events = [];
    this.#rest += text;
    // A carriage return at the end may be half of a line's end.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line === "") this.#finish(events);
      else this.#take(line);
    }
    return events;
  }

  #take(line) {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#kind = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }

  #finish(events) {
    // Unlike a browser's own reader, an event without data counts: `afresh` has none.
    if (this.#kind || this.#data.length > 0) {
      events.push({ kind: this.#kind || "message", data: this.#data.join("\n"), id: this.#id });
    }
    this.#kind = "";
    this.#data = [];
  }
}
