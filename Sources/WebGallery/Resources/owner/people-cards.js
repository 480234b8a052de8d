// Other laptops and guests: who is here, and the links by which they come.

import { address, request } from "../shared/api.js";
import { thumbnailAddress } from "../shared/addresses.js";
import { confirm, makeSheet, showDialog } from "../shared/dialog.js";
import { fill, make } from "../shared/elements.js";
import { notice } from "../shared/notice.js";
import { round } from "../shared/people.js";
import { plural } from "../shared/words.js";
import { qrSVG } from "../joining/qr.js";
import { actionButton, attempt, copyField, drawList, order, section } from "./acting.js";
import { doorWords, guestWords, inviteWords, linkWords, peerWords } from "./plain.js";

const timeForm = new Intl.DateTimeFormat("en-GB", { weekday: "long", hour: "2-digit", minute: "2-digit" });
const NAMELESS = "A laptop without a name yet";

/** Other laptops of the gathering. */
export function makePeersCard() {
  const rows = make("ul", { class: "owner-rows" });
  const none = make("p", { class: "quiet" }, "No other laptop yet. Show its owner the phrase below.");
  const element = section("laptops", "Laptops", none, rows);
  const draw = ({ peers }) => {
    const sorted = [...peers].sort((a, b) => Number(b.connected) - Number(a.connected));
    none.hidden = peers.length > 0;
    drawList(rows, sorted.map((peer) => ({ ...peer, words: peerWords(peer) })), (peer) => make(
      "li", { class: "owner-row", dataset: { connected: String(peer.connected) } }, round(peer.name ?? "?", "round-large"),
      make("div", {}, make("strong", {}, peer.name ?? NAMELESS),
        make("p", { class: "small quiet" }, peer.words)),
      make("span", { class: "owner-dot", "aria-hidden": "true" })));
  };
  return { element, draw };
}

/** How another laptop enters. */
export function makeInviteCard() {
  const phrase = make("p", { class: "owner-phrase" });
  const code = make("div", { class: "owner-code" });
  const explanation = make("p", {});
  const element = section("invite", "Invite a laptop", explanation, phrase, code);
  const draw = (invite) => {
    const { phrase: words, link, problem } = invite;
    explanation.textContent = inviteWords(invite);
    for (const part of [phrase, code]) part.hidden = problem !== undefined;
    if (phrase.textContent === `potluck join ${words}`) return;
    phrase.textContent = `potluck join ${words}`;
    fill(code, qrSVG(link, "QR code that invites a laptop"));
  };
  return { element, draw };
}

/** Phones and other browsers. @param {{onChanged: () => void}} handlers */
export function makeGuestsCard({ onChanged }) {
  const closed = make("div", { class: "owner-stack" });
  const open = make("div", { class: "owner-stack" });
  const code = make("div", { class: "owner-code" });
  const words = make("p", { class: "quiet" });
  const link = copyField("guests-link", "The guests' link");
  const waiting = make("div", { class: "owner-stack", hidden: true });
  let current = null;
  const rows = make("ul", { class: "owner-rows" });
  const count = make("h3", {});

  const closeButton = () => actionButton("Close the door", async () => {
    const isMeant = await confirm(
      "Close the door?", "Guests of this laptop can no longer see or add anything here. Their photos stay.", "Close it");
    if (!isMeant) return;
    await order(["guests", "link"], undefined, "DELETE");
    onChanged();
  });
  const reason = make("p", {});
  const admit = actionButton(
    "Let guests in", () => chooseLink(onChanged, null), { className: "button button-main", iconName: "qr" });
  const closeUnreachable = closeButton();
  fill(closed, reason, make("div", { class: "chips" }, admit, closeUnreachable));
  fill(
    open, make("div", { class: "owner-door" }, code, make(
      "div", { class: "owner-stack" }, make("p", {}, "Scan with a phone on the same Wi-Fi."), words, link.element,
      make(
        "div", { class: "chips" },
        make("a", { class: "button", href: "/cards" }, "Print cards"),
        actionButton("Change", () => chooseLink(onChanged, current)), closeButton()))));
  const element = section("guests", "Guests", closed, open, waiting, count, rows);

  const draw = (guests) => {
    current = guests.link;
    closed.hidden = guests.link !== null;
    open.hidden = guests.link === null;
    reason.textContent = doorWords(guests);
    admit.hidden = guests.open;
    closeUnreachable.hidden = !guests.open;
    if (guests.link !== null) {
      const { link: address_ } = guests.link;
      link.setText(address_);
      words.textContent = linkWords(guests.link, (instant) => timeForm.format(new Date(instant)));
      if (code.dataset.link !== address_) {
        code.dataset.link = address_;
        fill(code, qrSVG(address_, "QR code that lets guests in"));
      }
    }
    drawWaiting(waiting, guests.waiting ?? [], onChanged);
    const present = guests.guests.filter((guest) => !guest.revoked);
    count.textContent = present.length === 0 ? "" : plural(present.length, "guest");
    count.hidden = present.length === 0;
    drawList(rows, present.map((guest) => ({ ...guest, words: guestWords(guest) })), (guest) => guestRow(guest, onChanged));
  };
  return { element, draw };
}

function guestRow(guest, onChanged) {
  const revoke = async () => {
    const isMeant = await confirm(
      `Put ${guest.name} out?`,
      "Their page ends at once, and the link changes: other guests stay, new ones need the new code. Their photos stay.",
      "Put out");
    if (!isMeant) return;
    await order(["guests", "revoke"], { guest: guest.id });
    notice(`${guest.name} is out. The link is a new one.`);
    onChanged();
  };
  return make(
    "li", { class: "owner-row" }, round(guest.name, "round-large"),
    make("div", {}, make("strong", {}, guest.name), make("p", { class: "small quiet" }, guest.words)),
    actionButton("Put out", revoke, { label: `Put ${guest.name} out`, className: "button button-plain" }));
}

/** Photos of guests that wait for a tap before the wall shows them. */
function drawWaiting(element, waiting, onChanged) {
  element.hidden = waiting.length === 0;
  const approve = async (photos) => {
    // One request for each album: photos are named within theirs.
    for (const [album, ofAlbum] of grouped(photos)) {
      await order(["guests", "approve"], { album, photos: ofAlbum.map((photo) => photo.photo) });
    }
    onChanged();
  };
  drawList(element, waiting.length === 0 ? [] : [waiting], () => make(
    "div", { class: "owner-stack" }, make("h3", {}, `${plural(waiting.length, "photo")} for the wall?`),
    make("ul", { class: "owner-thumbnails" }, waiting.slice(0, 24).map((photo) => make("li", {}, make(
      "button", {
        type: "button", class: "owner-thumbnail", "aria-label": `Show ${photo.name} by ${photo.by} on the wall`,
        title: `${photo.name}, ${photo.by}`, onclick: (event) => attempt(() => approve([photo]), event.currentTarget),
      },
      make("img", { src: thumbnailAddress(photo.photo), alt: "", loading: "lazy", dataset: { photo: photo.photo } }))))),
    make("div", { class: "chips" }, actionButton("Show all of them", () => approve(waiting)))));
}

function grouped(photos) {
  const groups = new Map();
  for (const photo of photos) groups.set(photo.album_id, [...(groups.get(photo.album_id) ?? []), photo]);
  return groups;
}

/** Asks what guests may do, and makes the link. `current` is the link that there is, or `null`. */
async function chooseLink(onChanged, current) {
  const { albums } = await request(address(["albums"]));
  const checkbox = (id, words, attributes = {}) =>
    make("label", { class: "owner-check", for: id }, make("input", { type: "checkbox", id, ...attributes }), make("span", {}, words));
  const looks = checkbox("link-look-only", "They may look, not add", { checked: current?.look_only === true });
  const approves = checkbox(
    "link-approve", "What they add shows on the wall only after my tap", { checked: current?.approve === true });
  const hides = checkbox(
    "link-hide-places", "They do not learn where photos were taken", { checked: current?.hide_places === true });
  const boxes = albums.map(({ id, name }) =>
    checkbox(`link-album-${id}`, name, { checked: current?.albums?.includes(name) ?? true, value: id }));
  const until = make("input", {
    class: "input", type: "datetime-local", id: "link-until", value: localTime(current?.expires ?? null),
  });
  const save = actionButton("Make the link", async () => {
    const chosen = boxes.map((box) => box.firstElementChild).filter((box) => box.checked).map((box) => box.value);
    if (albums.length > 0 && chosen.length === 0) {
      notice("Choose at least one album.");
      return;
    }
    await order(["guests", "link"], {
      // None means all, also those to come; what is left out would stay as it is.
      albums: chosen.length === albums.length ? [] : chosen,
      look_only: looks.firstElementChild.checked,
      approve: approves.firstElementChild.checked,
      hide_places: hides.firstElementChild.checked,
      until: until.value === "" ? null : new Date(until.value).toISOString(),
      forever: until.value === "",
    });
    dialog.close("");
    onChanged();
  }, { className: "button button-main button-wide" });
  const dialog = makeSheet(
    "Who may do what",
    make("div", {}, looks, approves, hides),
    boxes.length > 1 && make("fieldset", { class: "owner-fieldset" }, make("legend", {}, "Albums that they see"), boxes),
    make("div", { class: "field" }, make("label", { for: "link-until" }, "Ends (empty: when you close the door)"), until),
    save);
  showDialog(dialog);
}

/** An instant as a field for local times takes it. */
function localTime(instant) {
  if (instant === null) return "";
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
