/**
 * Work of the laptop that takes long: its progress as it goes, and at last its result.
 */

import { ApiError, failure, send, sentenceFor } from "./api.js";
import { EventReader } from "./event-stream.js";

/**
 * Has the laptop do something.
 * @param {string} url
 * @param {object} order the request's body
 * @param {{signal: AbortSignal, onProgress: (step: object) => void}} options the laptop stops where `signal` ends it
 * @returns {Promise<object>} the result
 * @throws {ApiError} where it fails; a work that was ended throws the browser's `AbortError`
 */
export async function longWork(url, order, { signal, onProgress }) {
  const response = await send(url, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order), signal,
  });
  if (!response.ok) throw await failure(response);
  return readWork(response.body.getReader(), onProgress);
}

/**
 * Reads the answer to its end.
 * @param {{read: () => Promise<{done: boolean, value?: Uint8Array}>}} source
 * @param {(step: object) => void} onProgress
 * @returns {Promise<object>} the result
 * @throws {ApiError} where the work failed, or the laptop went before it was done
 */
export async function readWork(source, onProgress) {
  const decoder = new TextDecoder();
  const reader = new EventReader();
  for (;;) {
    const { done, value } = await nextOf(source);
    if (done) throw offline();
    for (const { kind, data } of reader.read(decoder.decode(value, { stream: true }))) {
      const content = JSON.parse(data);
      if (kind === "progress") onProgress(content);
      if (kind === "error") throw new ApiError(content.message, { code: content.code });
      if (kind === "result") return content;
    }
  }
}

async function nextOf(source) {
  try {
    return await source.read();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw offline();
  }
}

function offline() {
  return new ApiError(sentenceFor(0), { code: "offline" });
}
