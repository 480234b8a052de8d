/**
 * Icons of the sprite `icons.svg` as elements.
 */

const sprite = new URL("../icons.svg", import.meta.url).pathname;
const namespace = "http://www.w3.org/2000/svg";

/**
 * Makes one icon. It is decoration: the control that holds it carries the words.
 * @param {string} name the symbol's id in icons.svg
 * @param {string} [className] further classes; `icon-fills` is filled where its button is pressed
 * @returns {SVGSVGElement}
 */
export function icon(name, className = "") {
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", className ? `icon ${className}` : "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `${sprite}#${name}`);
  svg.append(use);
  return svg;
}
