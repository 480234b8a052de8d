/**
 * Search and filters: what is asked for stands in the page's address, so that it can be kept, sent on, and left by back.
 */

import { address, patiently, queryText, request } from "../shared/api.js";
import { makeSheet, showDialog } from "../shared/dialog.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { count } from "../shared/words.js";

const keys = ["text", "person", "tag", "camera", "type", "favourites", "from", "to"];
const typeNames = new Map([["photo", "Photos"], ["video", "Videos"], ["live", "Live photos"], ["raw", "RAW"]]);
const typingMilliseconds = 250;
const peopleMax = 24;

/**
 * What of a page's query is a search, in one order. Pure.
 * @param {string} search `location.search`
 * @returns {Record<string, string>}
 */
export function parseFilters(search) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(keys.map((key) => [key, (query.get(key) ?? "").trim()]).filter(([, value]) => value !== ""));
}

/**
 * The filters in words, each with the keys that it stands for. Pure.
 * @param {Record<string, string>} filters
 * @returns {{words: string, keys: string[]}[]}
 */
export function describeFilters(filters) {
  const found = [];
  if (filters.type) found.push({ words: typeNames.get(filters.type) ?? filters.type, keys: ["type"] });
  if (filters.favourites) found.push({ words: "Favourites", keys: ["favourites"] });
  if (filters.person) found.push({ words: `By ${filters.person}`, keys: ["person"] });
  if (filters.tag) found.push({ words: `#${filters.tag}`, keys: ["tag"] });
  if (filters.camera) found.push({ words: filters.camera, keys: ["camera"] });
  if (filters.from && filters.to) found.push({ words: `${filters.from} to ${filters.to}`, keys: ["from", "to"] });
  else if (filters.from) found.push({ words: `Since ${filters.from}`, keys: ["from"] });
  else if (filters.to) found.push({ words: `Until ${filters.to}`, keys: ["to"] });
  return found;
}

export class Filters {
  #album;
  #head;
  #onChange;
  #filters = parseFilters(location.search);
  #input;
  #form;
  #chips;
  #open;
  #typing = 0;
  #known = null;

  /**
   * @param {{album: {id: string, name: string}, head: HTMLElement, onChange: (query: string) => void}} options
   */
  constructor({ album, head, onChange }) {
    this.#album = album;
    this.#head = head;
    this.#onChange = onChange;
    this.#make();
    addEventListener("popstate", () => this.#followAddress());
    addEventListener("keydown", (event) => this.#keyPressed(event));
    this.#show();
  }

  /** The search as a query without `?`. */
  get query() {
    return queryText(this.#filters);
  }

  /** Whether anything is searched for. */
  get isActive() {
    return Object.keys(this.#filters).length > 0;
  }

  /** Shows all photos again. */
  clear() {
    this.#input.value = "";
    this.#set({});
  }

  #make() {
    const button = (name, label, press) => make(
      "button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: press }, icon(name),
    );
    this.#input = make("input", {
      class: "input", type: "search", name: "text", "aria-label": `Search ${this.#album.name}`, placeholder: `Search ${this.#album.name}`,
      enterkeyhint: "search", autocomplete: "off", value: this.#filters.text ?? "",
    });
    this.#form = make(
      "form", { class: "search", role: "search", hidden: true },
      button("back", "Leave the search", () => this.#leave()), this.#input, button("filter", "Filters", () => this.#choose()),
    );
    this.#open = button("search", "Search", () => this.#enter());
    this.#chips = make("div", { class: "chips search-chips", hidden: true });
    this.#head.append(this.#open, this.#form);
    this.#head.after(this.#chips);
    this.#input.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#typed(), typingMilliseconds);
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.#typing);
      this.#typed();
      this.#input.blur();
    });
  }

  #typed() {
    const { text, ...others } = this.#filters;
    const typed = this.#input.value.trim();
    if ((text ?? "") !== typed) this.#set(typed ? { ...others, text: typed } : others);
  }

  #set(filters) {
    const wasActive = this.isActive;
    this.#filters = parseFilters(queryText(filters));
    const url = `${location.pathname}${this.query ? `?${this.query}` : ""}`;
    if (wasActive || !this.isActive) history.replaceState(history.state, "", url);
    else history.pushState({ search: true }, "", url);
    this.#show();
    this.#onChange(this.query);
  }

  #followAddress() {
    // The viewer's addresses carry the search along.
    const asked = parseFilters(location.search);
    if (queryText(asked) === this.query) return;
    this.#filters = asked;
    this.#input.value = asked.text ?? "";
    this.#searching(false);
    this.#show();
    this.#onChange(this.query);
  }

  #show() {
    this.#searching(this.isActive || !this.#form.hidden);
    const chips = describeFilters(this.#filters).map(({ words, keys: its }) => make(
      "button",
      {
        type: "button", class: "chip", "aria-pressed": "true", "aria-label": `Remove ${words}`,
        onclick: () => this.#remove(its),
      },
      words, icon("close"),
    ));
    fill(this.#chips, chips);
    this.#chips.hidden = chips.length === 0;
  }

  #remove(its) {
    const left = Object.fromEntries(Object.entries(this.#filters).filter(([key]) => !its.includes(key)));
    this.#set(left);
    this.#input.focus();
  }

  #searching(isOn) {
    this.#form.hidden = !isOn;
    this.#head.classList.toggle("searching", isOn);
  }

  #enter() {
    this.#searching(true);
    this.#input.focus();
  }

  #leave() {
    this.#searching(false);
    if (this.isActive) this.clear();
    this.#searching(false);
    this.#open.focus();
  }

  #keyPressed(event) {
    const isTyping = event.target.closest?.("input, textarea, select, dialog");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.#enter();
    } else if (event.key === "Escape" && event.target === this.#input) {
      this.#leave();
    }
  }

  // The sheet

  async #choose() {
    const body = make("div", { class: "sheet-body filters" }, make("p", { class: "quiet" }, "One moment …"));
    const sheet = makeSheet("Filters");
    sheet.querySelector(".sheet-body").replaceWith(body);
    const shown = showDialog(sheet);
    try {
      this.#known ??= await patiently(() => request(address(["albums", this.#album.id, "filters"])));
      this.#drawSheet(body, sheet);
    } catch (error) {
      fill(body, make("p", {}, error.message));
    }
    await shown;
    // Who opens it again may find people that came meanwhile.
    this.#known = null;
  }

  #drawSheet(body, sheet) {
    const { types = [], people = [], tags = [], cameras = [] } = this.#known;
    const change = (key, value) => {
      const others = Object.fromEntries(Object.entries(this.#filters).filter(([its]) => its !== key));
      this.#set(value ? { ...others, [key]: value } : others);
      this.#drawSheet(body, sheet);
    };
    const kinds = types.map(nameOf).filter((type) => typeNames.has(type));
    fill(
      body,
      make(
        "div", { class: "chips" }, kinds.map((type) => this.#chip("type", type, typeNames.get(type), change)),
        this.#chip("favourites", "1", "Favourites", change),
      ),
      this.#group("By", "person", people.slice(0, peopleMax), change),
      this.#group("Tags", "tag", tags.slice(0, peopleMax), change),
      cameras.length > 0 && this.#select("Camera", "camera", cameras, change),
      make("div", { class: "filter-days" }, this.#day("from", "From", change), this.#day("to", "Until", change)),
      make(
        "div", { class: "filter-end" },
        make("button", { type: "button", class: "button", disabled: !this.isActive, onclick: () => {
          this.clear();
          this.#drawSheet(body, sheet);
        } }, "Clear all"),
        make("button", { type: "button", class: "button button-main", onclick: () => sheet.close() }, "Show"),
      ),
    );
  }

  #chip(key, value, words, change) {
    const isOn = this.#filters[key] === value;
    return make(
      "button", { type: "button", class: "chip", "aria-pressed": String(isOn), onclick: () => change(key, isOn ? "" : value) }, words,
    );
  }

  #group(title, key, values, change) {
    if (values.length === 0) return null;
    const chips = values.map((value) => this.#chip(key, nameOf(value), countedName(value), change));
    return make("section", { class: "field" }, make("h3", { class: "field-label" }, title), make("div", { class: "chips" }, chips));
  }

  #select(title, key, values, change) {
    const select = make("select", { class: "input", id: `filter-${key}` }, make("option", { value: "" }, "Any"));
    for (const value of values) {
      select.append(make("option", { value: nameOf(value), selected: this.#filters[key] === nameOf(value) }, countedName(value)));
    }
    select.addEventListener("change", () => change(key, select.value));
    return make("div", { class: "field" }, make("label", { for: `filter-${key}` }, title), select);
  }

  #day(key, title, change) {
    const input = make("input", { class: "input", type: "date", id: `filter-${key}`, value: this.#filters[key] ?? "" });
    input.addEventListener("change", () => change(key, input.value));
    return make("div", { class: "field" }, make("label", { for: `filter-${key}` }, title), input);
  }
}

function nameOf(value) {
  return typeof value === "string" ? value : value.name;
}

function countedName(value) {
  return typeof value === "string" ? value : `${value.name} (${count(value.count)})`;
}
