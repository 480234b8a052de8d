/**
 * The arithmetic of looking closer: a picture that fits its stage, and a scale and an offset on top of that. Pure; CSS
 * pixels; offsets are of the picture's middle from the stage's middle.
 */

/**
 * The size of a picture that shows whole.
 * @param {number} aspect width by height
 * @param {{width: number, height: number}} stage
 * @returns {{width: number, height: number}}
 */
export function fitted(aspect, stage) {
  const width = Math.min(stage.width, stage.height * aspect);
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(width / aspect)) };
}

/**
 * Keeps a picture over its stage: no side of it may come further in than it has to.
 * @param {{scale: number, x: number, y: number}} zoom
 * @param {{width: number, height: number}} size of the picture at scale 1
 * @param {{width: number, height: number}} stage
 * @returns {{scale: number, x: number, y: number}}
 */
export function clamped({ scale, x, y }, size, stage) {
  const room = (length, outer) => Math.max(0, (length * scale - outer) / 2);
  const within = (value, limit) => Math.min(limit, Math.max(-limit, value)) + 0;
  return { scale, x: within(x, room(size.width, stage.width)), y: within(y, room(size.height, stage.height)) };
}

/**
 * Another scale, with one point of the picture staying where it is.
 * @param {{scale: number, x: number, y: number}} zoom
 * @param {number} scale the new one
 * @param {{x: number, y: number}} point from the stage's middle
 * @returns {{scale: number, x: number, y: number}}
 */
export function scaledAbout(zoom, scale, point) {
  const factor = scale / zoom.scale;
  return { scale, x: point.x - (point.x - zoom.x) * factor, y: point.y - (point.y - zoom.y) * factor };
}

/**
 * The most that a picture may be enlarged: twice its own pixels, at least three times.
 * @param {number} pixels width of the original
 * @param {number} width of the picture at scale 1
 * @returns {number}
 */
export function scaleMax(pixels, width) {
  return Math.min(20, Math.max(3, (2 * pixels) / Math.max(1, width)));
}

/**
 * Where a swipe ends, by how far and how fast it went.
 * @param {number} distance in pixels, positive to the right or down
 * @param {number} speed in pixels a millisecond
 * @param {number} length of the stage
 * @returns {-1|0|1} the direction in which it goes on, 0 back
 */
export function swipeEnd(distance, speed, length) {
  const isFast = Math.abs(speed) > 0.35 && Math.sign(speed) === Math.sign(distance) && Math.abs(distance) > 12;
  if (!isFast && Math.abs(distance) < length * 0.35) return 0;
  return distance > 0 ? 1 : -1;
}
