// What buttons of the owner's page have in common: they wait for the laptop, and say what went wrong.

import { ApiError, address, request } from "../shared/api.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { notice } from "../shared/notice.js";

/**
 * Sends an order to the laptop.
 * @param {string[]} parts Below /api/v1.
 * @param {object} [body]
 * @param {string} [method]
 */
export function order(parts, body = undefined, method = "POST") {
  return request(address(parts), { method, body });
}

/**
 * A button that does something and is off meanwhile.
 * @param {string} word
 * @param {() => Promise<void>} work
 * @param {{label?: string, className?: string, iconName?: string}} [look] `label` is what screen readers say.
 */
export function actionButton(word, work, { label = undefined, className = "button", iconName = undefined } = {}) {
  const button = make(
    "button", { type: "button", class: className, "aria-label": label }, iconName && icon(iconName), word);
  button.addEventListener("click", () => attempt(work, button));
  return button;
}

/** Does something, and says so where it fails. @param {() => Promise<void>} work @param {HTMLElement} [control] */
export async function attempt(work, control = undefined) {
  if (control?.getAttribute("aria-disabled") === "true") return;
  // Not `disabled`: that would take the focus away from whoever pressed it.
  control?.setAttribute("aria-disabled", "true");
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notice(error.message, { isUrgent: true });
  } finally {
    control?.removeAttribute("aria-disabled");
  }
}

/**
 * One section of the page.
 * @param {string} id
 * @param {string} title
 * @param {...Node} body
 */
export function section(id, title, ...body) {
  return make(
    "section", { class: "card owner-card", id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title` }, title),
    ...body);
}

/**
 * A section that is closed until somebody wants to see it.
 * @param {string} id
 * @param {string} title
 * @param {...Node} body
 * @returns {{element: HTMLElement, setCount: (count: number) => void}}
 */
export function foldedSection(id, title, ...body) {
  const badge = make("span", { class: "badge", hidden: true });
  const element = make(
    "details", { class: "card owner-card owner-folded", id },
    make("summary", {}, make("h2", {}, title), badge, icon("down")), make("div", { class: "owner-folded-body" }, ...body));
  return {
    element,
    setCount: (count) => {
      badge.hidden = count === 0;
      badge.textContent = String(count);
    },
  };
}

/** What each list shows, as text to compare with. */
const drawnItems = new WeakMap();

/**
 * Draws a list anew, only where it changed; the control that has the focus has it afterwards too.
 * @template Item
 * @param {HTMLElement} element
 * @param {Item[]} items Plain values.
 * @param {(item: Item) => Node} makeItem
 */
export function drawList(element, items, makeItem) {
  const drawn = JSON.stringify(items);
  if (drawnItems.get(element) === drawn) return;
  drawnItems.set(element, drawn);
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  fill(element, items.map(makeItem));
  if (focused === null) return;
  const isSame = (control) => (focused.id !== "" && control.id === focused.id)
    || (focused.ariaLabel !== null && control.ariaLabel === focused.ariaLabel);
  [...element.querySelectorAll("button, select, input")].find(isSame)?.focus();
}

/** A text field to copy from, with its button. @param {string} id @param {string} label */
export function copyField(id, label) {
  const input = make("input", { class: "input", id, readonly: true });
  const said = make("span", { class: "small quiet", role: "status" });
  const copy = () => {
    // Pages without encryption may not write to the clipboard but by this older way.
    input.select();
    said.textContent = document.execCommand("copy") ? "Copied." : "Hold the text to copy it.";
  };
  const button = make("button", { type: "button", class: "button", onclick: copy }, icon("copy"), "Copy");
  const element = make(
    "div", { class: "field" }, make("label", { for: id }, label),
    make("div", { class: "owner-copy" }, input, button), said);
  return { element, setText: (text) => { input.value = text; } };
}
