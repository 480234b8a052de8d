/**
 * Loads pictures that lie beside the page: stands in for gallery/picture-loader.js. Nothing comes later.
 */

/**
 * Loads a picture.
 * @param {string} url
 * @param {{signal: AbortSignal}} options
 * @returns {Promise<HTMLImageElement>} decoded, ready to be shown
 * @throws {Error} its message is for people
 */
export async function loadPicture(url, { signal }) {
  if (url === "") throw missingError();
  const image = new Image();
  image.decoding = "async";
  image.draggable = false;
  image.src = url;
  try {
    await image.decode();
  } catch {
    signal.throwIfAborted();
    throw unreadableError();
  }
  signal.throwIfAborted();
  return image;
}

/**
 * The words for a file that is there and cannot be shown.
 * @returns {Error}
 */
export function unreadableError() {
  return new Error("This browser cannot show this. “Open the file” may, with another program.");
}

/**
 * Says why something did not load.
 * @param {string} url
 * @returns {Promise<boolean>} never: another try is not worth it
 * @throws {Error}
 */
export async function untilReady(url) {
  throw url === "" ? missingError() : unreadableError();
}

function missingError() {
  return new Error("This file is not part of this export.");
}
