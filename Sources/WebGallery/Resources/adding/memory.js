// What the queue's next life has to know. Where uploads were sent to is shared by all tabs, what is unfinished is one
// tab's own. A browser may refuse or forget both; then files are asked about by hash, and sent from their beginning.

import { recall, remember } from "../shared/store.js";

const RECORDS = "uploads";
const UNFINISHED = "potluck.unfinished";
const RECORD_COUNT_MAX = 500;

/** Reads and writes what `UploadQueue.saved` returns. */
export class UploadMemory {
  #lastKeys = new Set();

  /** What an earlier life of this page left. */
  load() {
    const records = storedRecords();
    this.#lastKeys = new Set(records.map(nameOf));
    return { records, unfinished: storedUnfinished() };
  }

  /** Keeps what this queue knows, and what other tabs wrote meanwhile. */
  save({ records, unfinished }) {
    const keys = new Set(records.map(nameOf));
    const others = storedRecords().filter((record) => !keys.has(nameOf(record)) && !this.#lastKeys.has(nameOf(record)));
    this.#lastKeys = keys;
    remember(RECORDS, [...others, ...records].slice(-RECORD_COUNT_MAX));
    writeUnfinished(unfinished);
  }
}

function writeUnfinished(unfinished) {
  try {
    if (unfinished.length > 0) sessionStorage.setItem(UNFINISHED, JSON.stringify(unfinished));
    else sessionStorage.removeItem(UNFINISHED);
  } catch {
    // A private window without storage: nothing can be told after a reload.
  }
}

function storedRecords() {
  const records = recall(RECORDS, []);
  return Array.isArray(records) ? records.filter((record) => typeof record?.key === "string") : [];
}

/** Names of the files that this tab has still to send, for the page that it moves to. */
export function unfinishedNames() {
  return storedUnfinished().map((file) => file?.name).filter((name) => typeof name === "string");
}

/** Keeps names that came along from another laptop: this tab's bar asks to pick them again. @param {string[]} names */
export function keepUnfinishedNames(names) {
  if (names.length === 0) return;
  writeUnfinished(names.map((name) => ({ key: null, name, size: null, modified: null })));
}

function storedUnfinished() {
  try {
    const unfinished = JSON.parse(sessionStorage.getItem(UNFINISHED) ?? "[]");
    return Array.isArray(unfinished) ? unfinished : [];
  } catch {
    return [];
  }
}

function nameOf(record) {
  return `${record.album} ${record.key}`;
}
