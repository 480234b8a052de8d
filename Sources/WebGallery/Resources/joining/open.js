// The page that `potluck open` leads to. It takes the one-time code from the fragment, erases it there, and signs in.

import { ApiError, address, request } from "../shared/api.js";
import { need } from "../shared/elements.js";

const CODE = /^[A-Za-z0-9_-]{8,100}$/;

start(location.hash.replace(/^#/, ""));
// The same page may be open already when a new link is opened.
addEventListener("hashchange", () => {
  if (location.hash !== "") start(location.hash.replace(/^#/, ""));
});

/** @param {string} code */
async function start(code) {
  // Out of the address, the history and whatever a screenshot would show.
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  if (!CODE.test(code)) {
    say("This link has no code. Run potluck open on the laptop once more, or ask it for a new link.");
    return;
  }
  say("One moment…");
  try {
    await request(address(["session"]), { method: "POST", body: { code } });
    location.replace("/");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
    // A browser that is signed in already needs no code.
    need("#onward").hidden = false;
  }
}

function say(sentence) {
  need("#message").textContent = sentence;
}
