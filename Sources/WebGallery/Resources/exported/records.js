/**
 * What an exported page knows of its photos, by their IDs in it: the first 16 hex digits of SHA-256.
 */

/**
 * @typedef {object} PhotoRecord
 * @property {string} id
 * @property {string} file address of the file itself; this and the following are empty where there is none
 * @property {string} small address of the small picture
 * @property {string} view address of a picture in place of a file that browsers do not show
 * @property {string} moving address of a live photo's moving half
 * @property {boolean} isVideo
 * @property {number} seconds of a video
 * @property {number} width pixels as displayed, 0 where they are not known
 * @property {number} height
 * @property {string} taken what the clock showed, `2026-07-04T14:03`
 * @property {string} name
 * @property {string} by
 * @property {string} caption
 * @property {string[]} tags
 * @property {string} words what is read out for it
 */

const records = new Map();

/**
 * Keeps what is known of a photo.
 * @param {PhotoRecord} record
 */
export function keepRecord(record) {
  records.set(record.id, record);
}

/**
 * What is known of a photo.
 * @param {string} id
 * @returns {PhotoRecord|undefined}
 */
export function recordOf(id) {
  return records.get(id);
}
