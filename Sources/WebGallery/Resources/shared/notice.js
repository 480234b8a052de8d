/**
 * Notices: one short sentence about what just happened, read out by screen readers.
 */

import { make } from "./elements.js";
import { move } from "./motion.js";

const shownMilliseconds = 5000;

/**
 * Shows a notice for five seconds, longer while the pointer or the focus is on it.
 * @param {string} sentence
 * @param {{action?: string, onAction?: () => void, isUrgent?: boolean}} [options] a button with a word of its own
 * @returns {() => void} takes it away
 */
export function notice(sentence, { action, onAction, isUrgent = false } = {}) {
  const line = make("div", { class: "notice", role: isUrgent ? "alert" : "status" }, make("span", {}, sentence));
  let timer = 0;
  const end = async () => {
    clearTimeout(timer);
    await move(line, [{ opacity: 1 }, { opacity: 0 }], 120);
    line.remove();
  };
  if (action) {
    const press = () => {
      end();
      onAction?.();
    };
    line.append(make("button", { type: "button", class: "button button-plain", onclick: press }, action));
  }
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(end, shownMilliseconds);
  };
  line.addEventListener("pointerenter", () => clearTimeout(timer));
  line.addEventListener("pointerleave", restart);
  line.addEventListener("focusin", () => clearTimeout(timer));
  line.addEventListener("focusout", restart);
  place().append(line);
  move(line, [{ opacity: 0, transform: "translateY(8px)" }, { opacity: 1, transform: "none" }]);
  restart();
  return end;
}

/** The holder of notices within whatever is on top: a modal dialog hides the rest of the page. */
function place() {
  const open = [...document.querySelectorAll("dialog[open]")].pop() ?? document.body;
  const found = [...open.children].find((child) => child.classList.contains("notices"));
  if (found) return found;
  const made = make("div", { class: "notices" });
  open.append(made);
  return made;
}
