// Reading all that this laptop keeps, and mending it: `potluck verify` as a card.

import { address } from "../shared/api.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { longWork } from "../shared/long-work.js";
import { actionButton, foldedSection } from "./acting.js";
import { checkProgressWords, checkWords } from "./plain.js";

/** The card; nothing is asked of the laptop until somebody presses. */
export function makeCheckCard() {
  let controller = null;
  const bar = make("progress", { class: "progress", max: "1", value: "0", "aria-label": "How much is read" });
  const progress = make("p", { class: "small quiet" });
  const title = make("p", { role: "status" });
  const findings = make("ul", { class: "owner-problems" });
  const sentences = make("ul", { class: "owner-sentences quiet" });
  const start = actionButton("Check now", () => run(false), { iconName: "search" });
  const mend = actionButton("Mend what can be mended", () => run(true), { className: "button button-main" });
  const stop = make("button", { type: "button", class: "button", onclick: () => controller.abort() }, icon("close"), "Stop");
  const folded = foldedSection(
    "check", "Check what is kept here",
    make("p", { class: "quiet" },
      "Reads every photo of this laptop, and says what its disk has damaged. With many photos that takes long. "
        + "Once a week the laptop does the same by itself, slowly."),
    title, findings, sentences, bar, progress, make("div", { class: "chips" }, start, mend, stop));

  const setRunning = (isRunning) => {
    const hadFocus = [start, mend, stop].includes(document.activeElement);
    for (const element of [bar, progress, stop]) element.hidden = !isRunning;
    start.hidden = isRunning;
    mend.hidden = true;
    if (hadFocus) (isRunning ? stop : start).focus();
  };

  const drawProgress = (step) => {
    bar.value = step.byte_total > 0 ? step.bytes / step.byte_total : 0;
    progress.textContent = checkProgressWords(step);
  };

  const draw = (report) => {
    const words = checkWords(report);
    title.textContent = words.title;
    fill(findings, words.findings.map((text) => make("li", {}, icon("warning"), make("span", {}, text))));
    fill(sentences, words.sentences.map((sentence) => make("li", {}, sentence)));
    mend.hidden = !words.canMend;
  };

  const run = async (repair) => {
    controller = new AbortController();
    title.textContent = repair ? "Reading and mending …" : "Reading …";
    fill(findings);
    fill(sentences);
    drawProgress({ files: 0, file_total: 0, bytes: 0, byte_total: 0 });
    setRunning(true);
    let report = null;
    try {
      report = await longWork(
        address(["verify"]), { repair, restart: false }, { signal: controller.signal, onProgress: drawProgress });
    } catch (error) {
      title.textContent = error.name === "AbortError" ? "Stopped. Within a day the next check goes on from there." : "";
      if (error.name !== "AbortError") throw error;
    } finally {
      setRunning(false);
      if (report) draw(report);
    }
  };

  setRunning(false);
  return folded.element;
}
