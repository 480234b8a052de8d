/**
 * Requests to the laptop, with answers as values and failures as sentences for people.
 */

const root = "/api/v1";

/** A request that failed. `message` is for people. */
export class ApiError extends Error {
  /**
   * @param {string} message a sentence that says what to do
   * @param {{code?: string, status?: number, retryAfter?: number, progress?: number}} [details]
   */
  constructor(message, { code = "unknown", status = 0, retryAfter = 0, progress } = {}) {
    super(message);
    this.name = "ApiError";
    /** The server's code, `offline` where there was no answer. */
    this.code = code;
    /** HTTP status, 0 where there was no answer. */
    this.status = status;
    /** Milliseconds to wait before asking again, 0 where the server does not say. */
    this.retryAfter = retryAfter;
    /** 0 to 1, of something that is being prepared. */
    this.progress = progress;
  }
}

const sentences = new Map([
  [0, "The laptop does not answer. Stay on this Wi-Fi; the page keeps trying."],
  [401, "This page is not signed in any more. Scan the code again."],
  [403, "This link does not allow that. Ask the person with the laptop."],
  [404, "This is not here any more."],
  [410, "This link has ended. Ask for a new one."],
  [413, "This is too large for the laptop; bring it on a stick."],
  [423, "Another tab is doing that already."],
  [429, "That was a lot at once. Wait a moment, then go on."],
  [503, "The laptop is still fetching this. It comes in a moment."],
  [507, "The laptop's disk is full. Tell the person with the laptop."],
]);

/**
 * The address of something below the API.
 * @param {string[]} parts path parts, each escaped here
 * @param {Record<string, string|number|boolean|null|undefined>|URLSearchParams} [query]
 * @returns {string}
 */
export function address(parts, query = {}) {
  const path = parts.map((part) => encodeURIComponent(part)).join("/");
  const text = queryText(query);
  return `${root}/${path}${text ? `?${text}` : ""}`;
}

/**
 * Asks the laptop.
 * @param {string} url from {@link address}
 * @param {{method?: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal}} [options] `body` is
 *   sent as JSON
 * @returns {Promise<any>} the answer's JSON, `null` where it has no body
 * @throws {ApiError}
 */
export async function request(url, { method = "GET", body, headers = {}, signal } = {}) {
  const response = await send(url, {
    method,
    signal,
    headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw await failure(response);
  const text = await response.text();
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("The laptop's answer could not be read. Load the page again.", { status: response.status });
  }
}

/**
 * Asks the laptop and hands out the response as it is, failures with status included.
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 * @throws {ApiError} where there is no answer; a cancelled request throws the browser's `AbortError`
 */
export async function send(url, options = {}) {
  try {
    return await fetch(url, { credentials: "same-origin", cache: "no-cache", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(sentences.get(0), { code: "offline" });
  }
}

/**
 * What a response that is not a success means.
 * @param {Response} response
 * @returns {Promise<ApiError>}
 */
export async function failure(response) {
  let said = {};
  try {
    said = (await response.json()).error ?? {};
  } catch {
    // Not every answer has a body, and one from something between here and the laptop is not ours.
  }
  return new ApiError(said.message || sentenceFor(response.status), {
    code: said.code,
    status: response.status,
    retryAfter: retryMilliseconds(response.headers.get("Retry-After")),
    progress: typeof said.progress === "number" ? said.progress : undefined,
  });
}

/**
 * The words for a status without words of its own.
 * @param {number} status
 * @returns {string}
 */
export function sentenceFor(status) {
  return sentences.get(status)
    ?? (status >= 500 ? "Something went wrong on the laptop. Try again in a moment." : "That did not work. Try again.");
}

/**
 * Milliseconds that a `Retry-After` header asks for: whole seconds or a date.
 * @param {string|null} header
 * @param {number} [now] milliseconds since 1970
 * @returns {number} 0 where there is none, at most an hour
 */
export function retryMilliseconds(header, now = Date.now()) {
  if (!header) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 3600000) : 0;
}

/**
 * Asks again as long as the laptop says "later".
 * @template Value
 * @param {() => Promise<Value>} work
 * @param {{tries?: number, signal?: AbortSignal}} [options]
 * @returns {Promise<Value>}
 */
export async function patiently(work, { tries = 5, signal } = {}) {
  for (let round = 1; ; round += 1) {
    try {
      return await work();
    } catch (error) {
      const isWorthIt = error instanceof ApiError && (error.status === 503 || error.status === 429 || error.status === 0);
      if (!isWorthIt || round >= tries) throw error;
      await pause(error.retryAfter || Math.min(8000, 250 * 2 ** round), signal);
    }
  }
}

/**
 * Waits.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] ends the wait with an `AbortError`
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(new DOMException("Cancelled", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", ended);
      resolve();
    }, milliseconds);
    if (signal?.aborted) ended();
    else signal?.addEventListener("abort", ended, { once: true });
  });
}

/**
 * A query without what is empty.
 * @param {Record<string, string|number|boolean|null|undefined>|URLSearchParams} query
 * @returns {string}
 */
export function queryText(query) {
  const pairs = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  const kept = pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false);
  return new URLSearchParams(kept.map(([key, value]) => [key, value === true ? "1" : String(value)])).toString();
}
