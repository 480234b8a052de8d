/**
 * Movement, which people may have switched off.
 */

const lateMilliseconds = 300;

/**
 * Whether this person asked their device for less movement.
 * @returns {boolean}
 */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Animates an element and returns when that is over; at once where nothing should move.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {number} [milliseconds]
 * @returns {Promise<void>}
 */
export async function move(element, frames, milliseconds = 180) {
  if (isStill() || typeof element.animate !== "function") return;
  const animation = element.animate(frames, { duration: milliseconds, easing: "cubic-bezier(0.2, 0, 0, 1)" });
  // A browser that draws no frames, such as for a page that was hidden meanwhile, lets animations stand still.
  const late = setTimeout(() => animation.cancel(), milliseconds + lateMilliseconds);
  // A cancelled animation rejects; the element is in its final place then as well.
  await animation.finished.catch(() => {});
  clearTimeout(late);
}
