// The page at the door. It takes the token from the fragment and erases it there, asks for a name, and lets in.

import { ApiError, address, request } from "../shared/api.js";
import { need } from "../shared/elements.js";
import { recall, remember } from "../shared/store.js";
import { keepUnfinishedNames } from "../adding/memory.js";
import { readFragment, readTyped } from "./fragment.js";
import { qrSVG } from "./qr.js";

const GUEST_NAME = "guest-name";

const form = need("#join");
const message = need("#message");
const session = document.body.dataset.session;

start(readFragment(location.hash));
// The same page may be open already when a code is scanned once more.
addEventListener("hashchange", () => {
  if (location.hash !== "") start(readFragment(location.hash));
});

/** @param {ReturnType<typeof readFragment>} found */
async function start(found) {
  // Out of the address, the history and whatever a screenshot would show.
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  switch (found.kind) {
    case "ticket":
      await enter({ ticket: found.ticket }, found);
      break;
    case "personal":
      await enter({ token: found.token }, { place: "/" });
      break;
    case "link":
      // Whoever scans again is still the same guest.
      if (session !== "") location.replace("/");
      else askForName(found.token);
      break;
    default:
      if (session === "guest") await showAgain();
      else if (session === "owner") location.replace("/");
      else askForName("");
  }
}

function askForName(token) {
  form.hidden = false;
  document.body.dataset.session = "";
  need("#token").value = token;
  need("#token-field").hidden = token !== "";
  const name = need("#guest-name");
  name.value ||= recall(GUEST_NAME, "");
  (token === "" ? need("#token") : name).focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = need("#guest-name").value.trim();
  const typed = readTyped(need("#token").value);
  if (typed.kind === "none") {
    say("That is no code of this gathering. Type what stands behind the # of the link, or scan the code again.");
    return;
  }
  if (name === "") {
    say("Tell the others your name.");
    need("#guest-name").focus();
    return;
  }
  remember(GUEST_NAME, name);
  await enter({ token: typed.token, name }, { place: "/" });
});

/** Signs in and goes on. @param {object} credentials @param {{place: string, unfinished?: string[]}} aim */
async function enter(credentials, { place, unfinished = [] }) {
  const button = need("#join-button");
  button.disabled = true;
  form.hidden = credentials.name === undefined;
  if (form.hidden) say("One moment…");
  try {
    await request(address(["guests"]), { method: "POST", body: credentials });
    keepUnfinishedNames(unfinished);
    location.replace(place);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refused(error, credentials);
  } finally {
    button.disabled = false;
  }
}

function refused(error, credentials) {
  const sentences = {
    401: "This code is not right any more. Scan the newest one, or ask whoever invited you.",
    410: "This link has ended. Ask whoever invited you for a new one.",
    429: "Many people are joining at this moment. Wait a little, then try again.",
  };
  say(sentences[error.status] ?? error.message);
  const isOver = error.status === 401 || error.status === 410;
  askForName(isOver ? "" : credentials.token ?? "");
}

async function showAgain() {
  form.hidden = true;
  try {
    const { guest } = await request(address(["me"]));
    need("#again-name").textContent = guest.name;
    need("#again-link").value = guest.link;
    need("#again-code").replaceChildren(qrSVG(guest.link, `QR code that lets you in as ${guest.name}`));
    need("#again").hidden = false;
    need(".joining-head p").textContent = `${guest.name}, you are in`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
  }
}

need("#again-copy").addEventListener("click", () => {
  // Pages without encryption may not write to the clipboard but by this older way.
  const field = need("#again-link");
  field.select();
  const isCopied = document.execCommand("copy");
  need("#again-copied").textContent = isCopied ? "Copied." : "Hold the link to copy it.";
});

function say(sentence) {
  message.textContent = sentence;
}
