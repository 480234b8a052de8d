// What state this laptop is in, what is at risk, and whether it may leave.

import { address, request } from "../shared/api.js";
import { confirm, makeSheet, showDialog } from "../shared/dialog.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { count as countText, plural } from "../shared/words.js";
import { actionButton, drawList, order } from "./acting.js";
import { headline, leaveWords, progressSentences } from "./plain.js";

const ICONS = { good: "check", warning: "warning", busy: "refresh" };

/** The first card of the page. @param {{onDecided: () => void}} handlers */
export function makeStatusCard({ onDecided }) {
  const sign = make("span", { class: "owner-sign" });
  const title = make("h2", { id: "status-title" });
  const advice = make("p", {});
  const sentences = make("ul", { class: "owner-sentences quiet" });
  const problems = make("ul", { class: "owner-problems" });
  const held = make("div", { class: "owner-held", hidden: true });
  const leave = actionButton("May this laptop leave?", showLeaveCheck, { iconName: "door" });
  const element = make(
    "section", { class: "card owner-card owner-status", id: "status", "aria-labelledby": "status-title" },
    make("div", { class: "owner-headline" }, sign, make("div", { role: "status" }, title, advice)),
    held, problems, sentences, make("div", {}, leave),
  );

  const draw = (status) => {
    const { tone, title: words, advice: what } = headline(status);
    if (element.dataset.tone !== tone) {
      element.dataset.tone = tone;
      fill(sign, icon(ICONS[tone]));
    }
    if (title.textContent !== words) title.textContent = words;
    if (advice.textContent !== what) advice.textContent = what;
    drawList(sentences, progressSentences(status), (sentence) => make("li", {}, sentence));
    drawList(problems, status.problems, (problem) => make("li", {}, icon("warning"), make("span", {}, problem)));
    drawHeld(held, status.held ?? null, onDecided);
  };
  return { element, draw };
}

/** Changes of the folder that wait for a person. */
function drawHeld(element, held, onDecided) {
  element.hidden = held === null;
  drawList(element, held === null ? [] : [held], () => heldQuestion(held, onDecided));
}

function heldQuestion(held, onDecided) {
  const count = held.vanished + held.rewritten;
  const decide = async (decision) => {
    try {
      // Only what is shown here is confirmed: what went or changed since waits, and is shown next.
      await order(["decide"], { decision, version: held.version });
    } finally {
      onDecided();
    }
  };
  return make(
    "div", { class: "owner-held-body" },
    make("h3", {}, "Did you mean to do that?"),
    make("p", {}, held.message),
    make("ul", { class: "owner-paths small quiet" }, held.paths.slice(0, 5).map((path) => make("li", {}, path)),
      count > 5 && make("li", {}, `and ${countText(count - 5)} more`)),
    make(
      "div", { class: "chips" },
      actionButton("No, bring them back", () => decide("undo"), { className: "button button-main", iconName: "undo" }),
      actionButton(`Yes, ${held.vanished > 0 ? "remove" : "change"} ${plural(count, "photo")}`, async () => {
        const isMeant = await confirm(
          `${held.vanished > 0 ? "Remove" : "Change"} ${plural(count, "photo")}?`,
          "Those that this laptop added leave their albums on every laptop; the others are hidden here. "
            + "They stay in the trash for a while.",
          held.vanished > 0 ? "Remove" : "Change");
        if (isMeant) await decide("confirm");
      }),
    ),
  );
}

async function showLeaveCheck() {
  const report = await request(address(["leave-check"], { others: 1 }));
  const { isSafe, title, sentences } = leaveWords(report);
  const albums = report.albums.filter((album) => album.short > 0);
  showDialog(makeSheet(
    title,
    make("ul", { class: "owner-sentences" }, sentences.map((sentence) => make("li", {}, sentence))),
    !isSafe && albums.length > 0 && make(
      "ul", { class: "owner-rows" },
      albums.map((album) => make(
        "li", { class: "owner-row" }, make("span", {}, album.name),
        make("span", { class: "quiet" }, `${plural(album.short, "photo")} to copy`)))),
    make(
      "ul", { class: "owner-rows" },
      report.devices.map((device) => make(
        "li", { class: "owner-row" }, make("span", {}, device.name),
        make("span", { class: "quiet" },
          `has ${countText(device.photos)} of ${countText(report.here.photos)}${device.connected ? "" : ", not connected"}`)))),
  ));
}
