/**
 * Making and finding elements. Text always becomes text, never markup.
 */

/**
 * Makes an element.
 * @param {string} name tag name
 * @param {Record<string, unknown>} [attributes] attributes by name; `class`, `on…` functions as listeners, `true` for
 *   attributes without a value, `false`, `null` and `undefined` for none, `dataset` as an object
 * @param {...(Node|string|number|null|undefined|false|Array)} children nodes and text
 * @returns {HTMLElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "dataset") Object.assign(element.dataset, value);
    else if (key.startsWith("on") && typeof value === "function") element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  fill(element, ...children);
  return element;
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {Element} the element
 */
export function fill(element, ...children) {
  const shown = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...shown.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/**
 * Finds one element, or ends with an error that names what the page lacks.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function need(selector, root = document) {
  const element = root.querySelector(selector);
  if (!element) throw new Error(`The page lacks ${selector}`);
  return element;
}
