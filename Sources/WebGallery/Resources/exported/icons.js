/**
 * Icons of the sprite that stands in the page: stands in for shared/icons.js.
 */

import { need } from "../shared/elements.js";

/**
 * Makes one icon. It is decoration: the control that holds it carries the words.
 * @param {string} name the symbol's id in icons.svg
 * @param {string} [className] further classes
 * @returns {SVGSVGElement}
 */
export function icon(name, className = "") {
  const namespace = need("#icons").namespaceURI;
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", className ? `icon ${className}` : "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}
