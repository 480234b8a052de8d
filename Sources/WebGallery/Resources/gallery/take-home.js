/**
 * Taking photos home: one ZIP file that the browser saves while the laptop makes it.
 */

import { address } from "../shared/api.js";
import { makeSheet, showDialog } from "../shared/dialog.js";
import { make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { browserID } from "../shared/store.js";
import { takeHomeChoices } from "./take-home-choices.js";

/**
 * Asks how the photos are wanted, and begins the download.
 * @param {{id: string, name: string}} album
 * @param {{photos: string[], filters: Record<string, string>, count: number}} what as for {@link takeHomeChoices}
 * @returns {Promise<boolean>} whether a download began
 */
export async function takeHome(album, what) {
  const options = takeHomeChoices({ ...what, browser: browserID() });
  const sheet = makeSheet(`Take home from ${album.name}`);
  const list = make("div", { class: "choices" }, options.map((option) => make(
    "button", { type: "button", class: "choice", onclick: () => sheet.close(option.id) },
    icon(option.icon), make("span", {}, option.title, make("small", {}, option.text)),
  )));
  const note = make("p", { class: "sheet-body quiet small" }, "They come as one ZIP file. Stay on this Wi-Fi until it is whole.");
  sheet.querySelector(".sheet-body").replaceWith(list, note);
  const answer = await showDialog(sheet);
  const chosen = options.find((option) => option.id === answer);
  if (!chosen) return false;
  send(album, chosen.fields);
  return true;
}

/** A form, since thousands of IDs do not fit into an address; the page stays, because the answer is a file. */
function send(album, fields) {
  const form = make(
    "form", { method: "post", action: address(["albums", album.id, "zip"]), hidden: true },
    Object.entries(fields).map(([name, value]) => make("input", { type: "hidden", name, value })),
  );
  document.body.append(form);
  form.submit();
  form.remove();
}
