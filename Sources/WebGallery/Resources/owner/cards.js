// Eight cards for a sheet of paper: how to join the Wi-Fi and the gathering.

import { fill, make, need } from "../shared/elements.js";
import { qrSVG } from "../joining/qr.js";
import { wifiText } from "./wifi.js";

const CARD_COUNT = 8;

const { gathering, link } = document.body.dataset;
const name = need("#wifi-name");
const password = need("#wifi-password");

function draw() {
  const wifi = name.value.trim();
  fill(need("#cards-sheet"), Array.from({ length: CARD_COUNT }, () => cardFor(wifi)));
}

function cardFor(wifi) {
  return make(
    "li", { class: "cards-card" }, make("h2", {}, gathering), make("p", {}, "See the photos, add your own."),
    make(
      "div", { class: "cards-codes" },
      wifi !== "" && step("1. The Wi-Fi", wifiText(wifi, password.value), wifi),
      step(wifi === "" ? "Scan this" : "2. The photos", link, wifi === "" ? "on this Wi-Fi" : "scan after the Wi-Fi")));
}

function step(title, text, below) {
  return make("div", { class: "cards-code" }, make("strong", {}, title), qrSVG(text, title), make("span", {}, below));
}

const isOpen = link !== "";
need("#cards-closed").hidden = isOpen;
need("#cards-form").hidden = !isOpen;
if (isOpen) {
  name.addEventListener("input", draw);
  password.addEventListener("input", draw);
  need("#cards-print").addEventListener("click", () => print());
  need("#cards-form").addEventListener("submit", (event) => event.preventDefault());
  draw();
}
