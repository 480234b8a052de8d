/**
 * Where pictures and pages are.
 */

import { address } from "./api.js";

/**
 * The small picture of a photo.
 * @param {string} photo ID in hex
 * @param {string} [version] the first characters of the picture's own ID; with it the browser never asks twice
 * @returns {string}
 */
export function thumbnailAddress(photo, version = "") {
  return address(["photos", photo, "thumbnail"], { v: version });
}

/**
 * The picture of 2,048 pixels.
 * @param {string} photo
 * @returns {string}
 */
export function previewAddress(photo) {
  return address(["photos", photo, "preview"]);
}

/**
 * The file as it was taken.
 * @param {string} photo
 * @param {boolean} [isDownload] whether the browser saves it under its name
 * @returns {string}
 */
export function originalAddress(photo, isDownload = false) {
  return address(["photos", photo, "original"], { download: isDownload });
}

/**
 * A video, or the moving part of a photo.
 * @param {string} photo
 * @param {boolean} [isRendition] whether the browser needs the version that all browsers play
 * @returns {string}
 */
export function videoAddress(photo, isRendition = false) {
  return address(["photos", photo, "video"], { h264: isRendition });
}

/**
 * What the API knows of a photo, or a part of that. A page of all albums has photos of many: the photo itself says which
 * album its words and favourites belong to.
 * @param {string} album the page's, or `all`
 * @param {{id: string, album_id?: string}} details as the API gives them
 * @param {...string} rest path parts
 * @returns {string}
 */
export function wordsAddress(album, details, ...rest) {
  return address(["albums", details.album_id ?? album, "photos", details.id, ...rest]);
}

/**
 * The page of an album.
 * @param {string} album
 * @param {string} [search] the query of a search, without `?`
 * @returns {string}
 */
export function albumPage(album, search = "") {
  return `/album/${encodeURIComponent(album)}${search ? `?${search}` : ""}`;
}

/**
 * The page of one photo.
 * @param {string} album
 * @param {string} photo
 * @param {string} [search]
 * @returns {string}
 */
export function photoPage(album, photo, search = "") {
  return `/album/${encodeURIComponent(album)}/photo/${encodeURIComponent(photo)}${search ? `?${search}` : ""}`;
}

/**
 * The photo whose page an address is.
 * @param {{pathname: string}} place
 * @returns {string|null} its ID, `null` for other pages
 */
export function photoOfPage({ pathname }) {
  return /\/photo\/([0-9a-f]{64})$/.exec(pathname)?.[1] ?? null;
}
