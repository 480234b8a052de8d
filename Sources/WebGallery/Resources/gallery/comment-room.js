/**
 * How much may be written in a comment, as the laptop counts: in bytes of UTF-8. Pure.
 */

import { plural } from "../shared/words.js";

const commentBytesMax = 2000;
/** Before that there is nothing to say. */
const nearBytes = 200;

/**
 * Bytes that a comment may still have; less than 0 where it is too long.
 * @param {string} text
 * @returns {number}
 */
export function commentRoom(text) {
  return commentBytesMax - new TextEncoder().encode(text.trim()).length;
}

/**
 * The same in words. A letter with an accent counts as two, a smiley as four or more.
 * @param {string} text
 * @returns {string} empty while the end is far
 */
export function commentRoomWords(text) {
  const room = commentRoom(text);
  if (room > nearBytes) return "";
  return room < 0 ? `${plural(-room, "letter")} too long` : `Room for ${plural(room, "more letter")}`;
}
