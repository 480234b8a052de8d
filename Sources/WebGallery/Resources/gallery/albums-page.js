/**
 * The page of all albums, in the browser.
 */

import { address, patiently, request } from "../shared/api.js";
import { fill, make, need } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { live } from "../shared/live.js";
import { notice } from "../shared/notice.js";
import { leaveWhenSessionEnds, me } from "../shared/session.js";
import { showAlbums, showRecent, summaryOf } from "./albums.js";
import { startServices } from "./page-services.js";
import { recentPhotos } from "./recent.js";

const reloadMilliseconds = 400;
const list = need("#albums");
let timer = 0;

async function load() {
  const { albums } = await patiently(() => request(address(["albums"], { covers: 1 })));
  need("#summary").textContent = summaryOf(albums);
  document.querySelector(".empty")?.remove();
  if (albums.every((album) => album.photos === 0)) list.after(empty(albums.length > 0));
  showAlbums(list, albums);
}

function loadSoon() {
  if (timer !== 0) return;
  timer = setTimeout(async () => {
    timer = 0;
    // The next event or the return of the stream loads again; the cards stay meanwhile.
    await load().catch(() => {});
  }, reloadMilliseconds);
}

function empty(hasAlbums) {
  const advice = hasAlbums ? "Tap + and add the first." : "Make a folder on the laptop, or tap + and add the first.";
  return make(
    "div", { class: "empty" }, icon("photo"), make("h2", {}, "No photos yet"), make("p", { class: "quiet" }, advice),
  );
}

async function begin() {
  showRecent(need("#recent"), recentPhotos());
  for (const kind of ["album.changed", "photo.added", "photo.removed", "photo.here", "afresh", "open"]) {
    live.on(kind, loadSoon);
  }
  leaveWhenSessionEnds(live);
  live.start();
  const [person] = await Promise.all([me(), load()]);
  need("#me-link").hidden = person.guest === null;
  need("#owner-link").hidden = !person.may.includes("owner");
  startServices({ person, album: null, onAdded: loadSoon });
}

// Back from an album, as it was left: what is new may not be any more.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  showRecent(need("#recent"), recentPhotos());
  loadSoon();
});

begin().catch((error) => {
  if (list.children.length === 0) fill(list, make("li", { class: "quiet" }, error.message));
  else notice(error.message);
});
