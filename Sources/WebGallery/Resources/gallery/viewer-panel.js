/**
 * The viewer's side panel: when, by whom, the caption, tags, what people say, and what the file is.
 */

import { wordsAddress } from "../shared/addresses.js";
import { address, request } from "../shared/api.js";
import { takenFromName, takenName } from "../shared/dates.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { notice } from "../shared/notice.js";
import { round } from "../shared/people.js";
import { bytes, list, since } from "../shared/words.js";
import { commentRoom, commentRoomWords } from "./comment-room.js";
import { typedTags } from "./tags.js";

const captionMax = 500;
/** Photos whose unsent comments are kept while the page is open. */
const draftsMax = 50;

export class Panel extends EventTarget {
  #album;
  #body;
  /** Comments that are not sent yet, by photo. */
  #drafts = new Map();
  #isSending = false;
  #details = null;

  /** @param {{id: string}} album */
  constructor(album) {
    super();
    this.#album = album;
    this.mayTalk = false;
    this.mayManage = false;
    this.mayRemove = false;
    this.#body = make("div", { class: "panel-body" });
    const close = make(
      "button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.close() },
      icon("close"),
    );
    this.element = make(
      "aside", { class: "panel", "aria-label": "About this photo", hidden: true },
      make("div", { class: "panel-head" }, make("h2", {}, "About"), close), this.#body,
    );
  }

  /** Whether it is shown. */
  get isOpen() {
    return !this.element.hidden;
  }

  /** The photo that is shown; `null` while none is. */
  get photo() {
    return this.#details?.id ?? null;
  }

  /** Shows it. */
  open() {
    this.element.hidden = false;
    this.dispatchEvent(new Event("toggled"));
    this.element.querySelector(".icon-button").focus({ preventScroll: true });
  }

  /** Hides it. */
  close() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.dispatchEvent(new Event("toggled"));
  }

  /**
   * Shows one photo. A control that has the focus keeps it, so that a person on the keyboard goes on from there, and
   * what is typed and not sent stays: others may write at the same time.
   * @param {object|null} details `null` while they are on their way
   */
  show(details) {
    const typed = this.#details?.id === details?.id ? this.#typed() : [];
    this.#keepDraft();
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.id : "";
    this.#details = details;
    const parts = details === null ? [] : [this.#when, this.#caption, this.#tags, this.#comments, this.#facts, this.#end];
    fill(this.#body, parts.map((part) => part.call(this, details)));
    for (const { id, value } of typed) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    if (focused) this.#focus(focused);
  }

  /** Fields with something in them that is not saved. */
  #typed() {
    const fields = [...this.#body.querySelectorAll("input")];
    return fields.filter((field) => field.value !== field.defaultValue).map(({ id, value }) => ({ id, value }));
  }

  #keepDraft() {
    const field = this.#body.querySelector("textarea");
    if (!field) return;
    this.#drafts.delete(this.#details.id);
    if (field.value !== "") this.#drafts.set(this.#details.id, field.value);
    if (this.#drafts.size > draftsMax) this.#drafts.delete(this.#drafts.keys().next().value);
  }

  /** Behind a tag that is gone the next one has its place; behind the last one there is the field. */
  #focus(id) {
    const control = document.getElementById(id) ?? (id.startsWith("panel-tag-") ? document.getElementById("panel-tag") : null);
    control?.focus({ preventScroll: true });
  }

  /** Opens with the field for a comment. */
  write() {
    this.open();
    this.#body.querySelector("textarea")?.focus();
  }

  #path(...rest) {
    return wordsAddress(this.#album.id, this.#details, ...rest);
  }

  #when(details) {
    const by = details.contributors?.length > 0 ? details.contributors : [details.by].filter(Boolean);
    const fans = details.favourites ?? [];
    const likes = fans.length === 1 ? "likes" : "like";
    return make(
      "section", {},
      make("h3", {}, takenName(details.taken) || "Nobody knows when"),
      by.length > 0 && make("p", { class: "panel-by" }, round(by[0]), `Added by ${list(by)}`),
      fans.length > 0 && make("p", { class: "panel-by" }, icon("heart"), `${list(fans)} ${likes} this`),
    );
  }

  #caption(details) {
    // A caption that others wrote, only they and the owner replace.
    const isFixed = !this.mayTalk || (details.caption && !details.edits_words);
    if (isFixed) return details.caption ? make("section", {}, make("p", { class: "panel-caption" }, details.caption)) : null;
    const input = make("input", {
      class: "input", id: "panel-caption", maxlength: captionMax, value: details.caption ?? "", autocomplete: "off",
      placeholder: "What is to be seen?",
    });
    const form = make(
      "form", { class: "field" }, make("label", { for: "panel-caption" }, "Caption"),
      make(
        "span", { class: "panel-line" }, input,
        make("button", { class: "icon-button", id: "panel-caption-save", "aria-label": "Save the caption" }, icon("check")),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(this.#path("caption"), { method: "PUT", body: { text: input.value.trim() } }, "The caption is saved.");
    });
    return make("section", {}, form);
  }

  #tags(details) {
    if (!this.mayTalk) return null;
    const tags = details.tags ?? [];
    const url = this.#path("tags");
    const chips = tags.map((tag, index) => make("li", {}, details.edits_words ? this.#tagButton(url, tag, index) : `#${tag}`));
    const input = make("input", {
      class: "input", id: "panel-tag", autocomplete: "off", autocapitalize: "none", enterkeyhint: "done",
      placeholder: "Who or what is on it?",
    });
    const form = make(
      "form", { class: "field" }, make("label", { for: "panel-tag" }, "Tags"),
      chips.length > 0 && make("ul", { class: "chips panel-tags" }, chips),
      make(
        "span", { class: "panel-line" }, input,
        make("button", { class: "icon-button", id: "panel-tag-add", "aria-label": "Add the tag" }, icon("add")),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#addTags(url, input, tags);
    });
    return make("section", {}, form);
  }

  #tagButton(url, tag, index) {
    return make(
      "button",
      {
        type: "button", class: "chip", id: `panel-tag-${index}`, "aria-label": `Remove the tag ${tag}`,
        onclick: () => this.#send(url, { method: "PUT", body: { remove: [tag] } }, ""),
      },
      tag, icon("close"),
    );
  }

  async #addTags(url, input, known) {
    const { tags, tooLong } = typedTags(input.value, known);
    if (tooLong.length > 0) {
      notice(`“${tooLong[0].slice(0, 20)} …” is too long for a tag.`, { isUrgent: true });
      return;
    }
    if (tags.length > 0 && !await this.#send(url, { method: "PUT", body: { add: tags } }, "")) return;
    // The panel may be drawn anew by now.
    const field = document.getElementById("panel-tag") ?? input;
    field.value = "";
  }

  #comments(details) {
    const comments = details.comments ?? [];
    if (!this.mayTalk && comments.length === 0) return null;
    return make(
      "section", {},
      make("h3", {}, "Comments"),
      make("ul", { class: "comments", "aria-live": "polite" }, comments.map((comment) => this.#comment(comment))),
      this.mayTalk && this.#commentForm(comments.length === 0),
    );
  }

  #comment(comment) {
    const remove = () => this.#send(this.#path("comments", comment.id), { method: "DELETE" }, "Your comment is removed.");
    return make(
      "li", { class: "comment" },
      round(comment.by),
      make(
        "div", {}, make("p", { class: "small quiet" }, `${comment.by} · ${since(comment.at)}`),
        make("p", { class: "comment-text" }, comment.text),
      ),
      comment.mine && make(
        "button", { type: "button", class: "icon-button", "aria-label": "Remove your comment", onclick: remove },
        icon("trash"),
      ),
    );
  }

  #commentForm(isFirst) {
    const field = make("textarea", {
      class: "input", id: "panel-comment", rows: "2", "aria-describedby": "panel-comment-room",
      placeholder: isFirst ? "Say something nice" : "Answer",
    });
    field.value = this.#drafts.get(this.#details.id) ?? "";
    const room = make("p", { class: "small quiet", id: "panel-comment-room", role: "status" }, commentRoomWords(field.value));
    field.addEventListener("input", () => fill(room, commentRoomWords(field.value)));
    const send = (event) => {
      event.preventDefault();
      this.#sendComment(field.value.trim());
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event);
    });
    return make(
      "form", { class: "field", onsubmit: send }, make("label", { for: "panel-comment", class: "unseen" }, "Your comment"),
      field, room, make("button", { class: "button", id: "panel-comment-send" }, icon("send"), "Send"),
    );
  }

  async #sendComment(text) {
    if (text === "" || this.#isSending) return;
    if (commentRoom(text) < 0) {
      notice(`This comment is ${commentRoomWords(text)}. Make it shorter, or make two of it.`, { isUrgent: true });
      return;
    }
    const photo = this.#details.id;
    this.#isSending = true;
    const isSent = await this.#send(this.#path("comments"), { method: "POST", body: { text } }, "");
    this.#isSending = false;
    if (!isSent) return;
    // The panel may be drawn anew, or show another photo, by now.
    if (this.#drafts.get(photo)?.trim() === text) this.#drafts.delete(photo);
    const field = this.#body.querySelector("textarea");
    if (this.photo === photo && field?.value.trim() === text) field.value = "";
  }

  #facts(details) {
    const camera = [details.make, details.model].filter(Boolean).join(" ");
    const size = details.width && details.height ? `${details.width} × ${details.height}` : "";
    const place = Number.isFinite(details.latitude) && Number.isFinite(details.longitude)
      ? `${details.latitude.toFixed(4)}, ${details.longitude.toFixed(4)}` : "";
    const where = details.here === false ? `Not yet; on ${list(details.where ?? []) || "another laptop"}` : "";
    const rows = [
      ["File", details.name], ["Size", [size, details.bytes > 0 && bytes(details.bytes)].filter(Boolean).join(", ")],
      ["Date from", takenFromName(details.taken_from)], ["Camera", camera], ["Lens", details.lens], ["Place", place],
      ["Tags", !this.mayTalk && list(details.tags ?? [])], ["On this laptop", where], ["Problem", details.problem],
    ].filter(([, value]) => value);
    const lines = rows.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]);
    return make("section", {}, make("dl", { class: "facts" }, lines));
  }

  /** Only who added a photo, and the laptop's owner, may take it out of the album. */
  #end(details) {
    if (!details.mine || !this.mayRemove) return null;
    const press = () => this.dispatchEvent(new Event("remove"));
    const attributes = { type: "button", class: "button button-wide", onclick: press };
    return make(
      "section", { class: "panel-end" }, this.mayManage && this.#coverButton(details),
      make("button", attributes, icon("undo"), "Take this photo back"),
    );
  }

  #coverButton(details) {
    const body = { album: details.album_id ?? this.#album.id, photo: details.id };
    const press = () => this.#send(address(["cover"]), { method: "POST", body }, "This photo is the album's cover.");
    const attributes = { type: "button", class: "button button-wide", id: "panel-cover", onclick: press };
    return make("button", attributes, icon("album"), "Make it the album's cover");
  }

  async #send(url, options, thanks) {
    try {
      await request(url, options);
      if (thanks) notice(thanks);
      this.dispatchEvent(new Event("changed"));
      return true;
    } catch (error) {
      notice(error.message, { isUrgent: true });
      return false;
    }
  }
}
