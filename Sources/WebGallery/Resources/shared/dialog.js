/**
 * Dialogs and sheets. The browser's own `dialog` keeps the focus inside, the rest of the page still, and closes with
 * Escape; this adds what it leaves out.
 */

import { icon } from "./icons.js";
import { make } from "./elements.js";

const focusable = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex]:not([tabindex='-1'])";

/**
 * Shows a dialog until it is closed. A click beside it closes it, and the focus goes back to where it was.
 * @param {HTMLDialogElement} dialog becomes part of the page where it is none
 * @param {{closesOutside?: boolean, keep?: boolean}} [options] `keep` leaves the element in the page afterwards
 * @returns {Promise<string>} the dialog's `returnValue`, empty where it was just closed
 */
export function showDialog(dialog, { closesOutside = true, keep = false } = {}) {
  const before = document.activeElement;
  if (!dialog.isConnected) document.body.append(dialog);
  const outside = (event) => {
    if (event.target === dialog && !isInside(event, dialog)) dialog.close("");
  };
  const loop = (event) => keepFocusInside(event, dialog);
  if (closesOutside) dialog.addEventListener("pointerdown", outside);
  dialog.addEventListener("keydown", loop);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.removeEventListener("pointerdown", outside);
      dialog.removeEventListener("keydown", loop);
      if (!keep) dialog.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      resolve(dialog.returnValue);
    }, { once: true });
  });
}

/**
 * Makes a sheet with a title and a button that closes it.
 * @param {string} title
 * @param {...(Node|string|null|undefined|false|Array)} body
 * @returns {HTMLDialogElement}
 */
export function makeSheet(title, ...body) {
  const id = `sheet-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  const dialog = make("dialog", { class: "sheet", "aria-labelledby": id });
  const close = make(
    "button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close("") },
    icon("close"),
  );
  dialog.append(
    make("div", { class: "sheet-head" }, make("h2", { id }, title), close),
    make("div", { class: "sheet-body" }, ...body),
  );
  return dialog;
}

/**
 * Asks one question.
 * @param {string} title the question
 * @param {string} explanation what happens then
 * @param {string} action the word on the button that does it
 * @returns {Promise<boolean>}
 */
export async function confirm(title, explanation, action) {
  const dialog = makeSheet(
    title,
    make("p", {}, explanation),
    make(
      "div", { class: "chips" },
      make("button", { type: "button", class: "button button-main", onclick: () => dialog.close("yes") }, action),
      make("button", { type: "button", class: "button", onclick: () => dialog.close("") }, "Cancel"),
    ),
  );
  return (await showDialog(dialog)) === "yes";
}

function isInside(event, dialog) {
  const box = dialog.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right
    && event.clientY >= box.top && event.clientY <= box.bottom;
}

/** Browsers let Tab leave a modal dialog for their own bars; a person who looks for the next button loses the place. */
function keepFocusInside(event, dialog) {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = [...dialog.querySelectorAll(focusable)].filter((element) => element.getClientRects().length > 0);
  if (all.length === 0) return;
  const first = all[0];
  const last = all[all.length - 1];
  const here = document.activeElement;
  if (event.shiftKey && (here === first || here === dialog)) {
    last.focus();
    event.preventDefault();
  } else if (!event.shiftKey && here === last) {
    first.focus();
    event.preventDefault();
  }
}
