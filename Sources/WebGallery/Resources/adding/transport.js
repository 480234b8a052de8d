// Requests of an upload by XMLHttpRequest: the only way that tells a page how much of a body has left.

/** Milliseconds without any progress after which a connection counts as lost: phones change the Wi-Fi silently. */
const STALL_DELAY = 20_000;
/** Milliseconds for the answer once all has left: the laptop makes a file durable before it answers. */
const ANSWER_DELAY = 120_000;

/**
 * Performs one request as `upload` of tus.js asks for it.
 * @param {{method: string, url: string, headers: Record<string, string>, body: Blob | null, signal?: AbortSignal,
 *   onProgress?: (sent: number) => void}} request
 * @returns {Promise<{status: number, header: (name: string) => string | null, text: string}>}
 */
export function sendRequest({ method, url, headers, body, signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const exchange = new XMLHttpRequest();
    let timer = null;
    const stop = () => exchange.abort();
    const expect = (delay) => {
      clearTimeout(timer);
      timer = setTimeout(stop, delay);
    };
    const end = (settle, value) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      settle(value);
    };
    exchange.open(method, url);
    for (const [name, value] of Object.entries(headers)) exchange.setRequestHeader(name, value);
    exchange.onload = () => end(resolve, {
      status: exchange.status,
      header: (name) => exchange.getResponseHeader(name),
      text: exchange.responseText,
    });
    exchange.onerror = () => end(reject, new Error("no answer"));
    exchange.onabort = () => end(reject, new Error("stopped"));
    // A listener makes the browser ask first across origins; here all is one origin.
    if (body !== null) {
      exchange.upload.onprogress = (event) => {
        expect(STALL_DELAY);
        onProgress?.(event.loaded);
      };
      exchange.upload.onload = () => expect(ANSWER_DELAY);
    }
    if (signal?.aborted) {
      end(reject, new Error("stopped"));
      return;
    }
    signal?.addEventListener("abort", stop);
    expect(STALL_DELAY);
    exchange.send(body);
  });
}
