/**
 * Where pictures and pages are in an exported album: stands in for shared/addresses.js. What is not there has an empty
 * address.
 */

import { recordOf } from "./records.js";

/**
 * The small picture of a photo.
 * @param {string} photo
 * @returns {string}
 */
export function thumbnailAddress(photo) {
  return recordOf(photo)?.small ?? "";
}

/**
 * What is shown of a photo on its own.
 * @param {string} photo
 * @returns {string}
 */
export function previewAddress(photo) {
  const record = recordOf(photo);
  return record?.view || record?.file || "";
}

/**
 * The file as it was exported.
 * @param {string} photo
 * @returns {string}
 */
export function originalAddress(photo) {
  return recordOf(photo)?.file ?? "";
}

/**
 * A video, or the moving part of a photo.
 * @param {string} photo
 * @returns {string}
 */
export function videoAddress(photo) {
  const record = recordOf(photo);
  return (record?.isVideo ? record.file : record?.moving) ?? "";
}

/**
 * Where people say something about a photo: nowhere here.
 * @returns {string}
 */
export function wordsAddress() {
  return "";
}

/**
 * The page without a photo in front.
 * @returns {string}
 */
export function albumPage() {
  return location.pathname;
}

/**
 * The page with a photo in front. Only what stands after `#` may change where a page is a file.
 * @param {string} album
 * @param {string} photo
 * @returns {string}
 */
export function photoPage(album, photo) {
  return `#${photo}`;
}

/**
 * The photo that an address of this page names.
 * @param {{hash: string}} place
 * @returns {string|null} its ID, `null` where it names none
 */
export function photoOfPage({ hash }) {
  return /^#([0-9a-f]{16})$/.exec(hash)?.[1] ?? null;
}
