// Keys and buttons of the wall. They step back while nobody touches anything.

import { fill, need } from "../shared/elements.js";
import { recall, remember } from "../shared/store.js";
import { qrSVG } from "../joining/qr.js";

const IDLE_DELAY = 3_000;
const CODE = "wall-code";
const ZOOM = "wall-zoom";

/**
 * Listens to keys and buttons.
 * @param {{onNext: () => void, onPause: (isPaused: boolean) => void}} handlers
 * @returns {{setLink: (link: string) => void}} takes another link for guests; an empty one is none
 */
export function startControls({ onNext, onPause }) {
  let link = "";
  let isPaused = false;
  let isCodeShown = recall(CODE, true);
  let isZooming = recall(ZOOM, false);

  const showCode = () => {
    const isShown = isCodeShown && link !== "";
    need("#code").hidden = !isShown;
    document.body.toggleAttribute("data-code", isShown);
    need("#code-button").setAttribute("aria-pressed", String(isShown));
  };
  const showZoom = () => {
    document.body.toggleAttribute("data-zoom", isZooming);
    need("#zoom").setAttribute("aria-pressed", String(isZooming));
  };
  const actions = {
    pause: () => {
      isPaused = !isPaused;
      need("#pause").setAttribute("aria-pressed", String(isPaused));
      onPause(isPaused);
    },
    next: onNext,
    zoom: () => {
      isZooming = !isZooming;
      remember(ZOOM, isZooming);
      showZoom();
    },
    "code-button": () => {
      isCodeShown = !isCodeShown;
      remember(CODE, isCodeShown);
      showCode();
    },
    full: toggleFullScreen,
  };

  for (const [id, action] of Object.entries(actions)) need(`#${id}`).addEventListener("click", action);
  const keys = { q: "code-button", z: "zoom", f: "full", ArrowRight: "next", " ": "pause" };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    // A space presses the button that has the focus.
    if (id === undefined || (event.key === " " && event.target instanceof Element && event.target.closest("button, a"))) return;
    event.preventDefault();
    actions[id]();
  });

  const setLink = (newLink) => {
    link = newLink;
    need("#code-button").hidden = link === "";
    fill(need("#code-picture"), link !== "" && qrSVG(link, "QR code to join"));
    showCode();
  };

  need("#full").hidden = document.fullscreenEnabled !== true;
  setLink(document.body.dataset.link);
  showZoom();
  watchIdleness();
  keepAwake();
  return { setLink };
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  // A browser that refuses leaves the page as it is; F11 still works.
  else document.documentElement.requestFullscreen().catch(() => {});
}

function watchIdleness() {
  let timer = null;
  const touched = () => {
    clearTimeout(timer);
    document.body.removeAttribute("data-idle");
    timer = setTimeout(() => document.body.setAttribute("data-idle", ""), IDLE_DELAY);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"]) addEventListener(kind, touched);
  touched();
}

/** On the laptop itself a page may keep the screen on; over plain HTTP browsers do not offer it. */
function keepAwake() {
  const ask = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
