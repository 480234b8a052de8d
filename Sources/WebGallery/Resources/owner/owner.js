// The owner's page: loads what its cards show, and follows what happens on the laptop.

import { ApiError, address, request } from "../shared/api.js";
import { confirm } from "../shared/dialog.js";
import { fill, make, need } from "../shared/elements.js";
import { live } from "../shared/live.js";
import { may } from "../shared/session.js";
import { actionButton, order } from "./acting.js";
import { makeCheckCard } from "./check-card.js";
import { makeGuestsCard, makeInviteCard, makePeersCard } from "./people-cards.js";
import { makeStatusCard } from "./status-card.js";
import { makeHiddenCard, makeOriginalsCard, makeTransfersCard, makeTrashCard } from "./storage-cards.js";

/** Many events in a row make one request. */
const GATHER_DELAY = 400;
/** What no event tells, such as the free space and when a guest was here, is asked for so often. */
const REFRESH_DELAY = 15_000;

/** Reports by name, with the card that draws each and the events after which it is out of date. */
const reports = {
  "status": {
    card: makeStatusCard({ onDecided: () => refresh("status", "trash", "hidden") }),
    events: [
      "peer.connected", "peer.lost", "photo.added", "photo.here", "photo.removed", "transfer.progress", "brake.held",
      "brake.released", "problem",
    ],
  },
  "guests": {
    card: makeGuestsCard({ onChanged: () => refresh("guests") }), events: ["guests.changed", "link.changed", "wall.changed"],
  },
  "peers": { card: makePeersCard(), events: ["peer.connected", "peer.lost"] },
  "invite": { card: makeInviteCard(), events: ["problem"] },
  "transfers": { card: makeTransfersCard({ onChanged: () => refresh("transfers", "status") }), events: [] },
  "originals": { card: makeOriginalsCard({ onChanged: () => refresh("originals", "status") }), events: ["album.changed"] },
  "trash": { card: makeTrashCard({ onChanged: () => refresh("trash", "status") }), events: ["photo.removed"] },
  "hidden": { card: makeHiddenCard({ onChanged: () => refresh("hidden", "status") }), events: ["photo.removed"] },
};

const outdated = new Set();
let timer = null;

/** @param {...string} names Of reports that are to be loaded again, soon. */
function refresh(...names) {
  for (const name of names) outdated.add(name);
  timer ??= setTimeout(loadOutdated, GATHER_DELAY);
}

async function loadOutdated() {
  const names = [...outdated];
  outdated.clear();
  await Promise.all(names.map(load));
  timer = null;
  if (outdated.size > 0) refresh();
}

async function load(name) {
  const { card } = reports[name];
  try {
    card.draw(await request(address([name])));
    card.element.hidden = false;
  } catch (error) {
    // An owner's pass of a phone may not see every report; what was drawn before stays while the laptop is silent.
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 403 || error.status === 404) card.element.hidden = true;
  }
}

function makeSignOut() {
  return make("div", {}, actionButton("Sign this browser out", async () => {
    const explanation = "This browser then sees nothing here. “potluck open” on the laptop signs it in again.";
    if (!await confirm("Sign out?", explanation, "Sign out")) return;
    await order(["session"], undefined, "DELETE");
    location.replace("/");
  }, { iconName: "door" }));
}

/** Shows what an owner's pass of a phone does not allow. */
async function showToManagers(element) {
  element.hidden = true;
  element.hidden = !await may("manage");
}

function start() {
  const names = Object.keys(reports);
  for (const { card } of Object.values(reports)) card.element.hidden = true;
  const [status, guests, peers, invite, transfers, originals, trash, hidden] = names.map((name) => reports[name].card.element);
  fill(need("#owner-first"), status, guests);
  const check = makeCheckCard();
  showToManagers(check);
  fill(need("#owner-second"), peers, invite, transfers, originals, trash, hidden, check, makeSignOut());
  for (const [name, { events }] of Object.entries(reports)) for (const kind of events) live.on(kind, () => refresh(name));
  for (const kind of ["open", "afresh"]) live.on(kind, () => refresh(...names));
  live.on("session.ended", () => location.reload());
  setInterval(() => {
    if (document.visibilityState === "visible" && live.state === "live") refresh("status", "guests", "peers");
  }, REFRESH_DELAY);
  refresh(...names);
  live.start();
}

start();
