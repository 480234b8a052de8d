// A client of tus 1.0 (https://tus.io/protocols/resumable-upload): creation, checksum and termination.

/** Bytes of one PATCH. */
export const CHUNK_BYTE_COUNT = 8 * 1024 * 1024;

/** Times in a row that the laptop may disagree about the offset before the upload is given a rest. */
const CONFLICT_COUNT_MAX = 3;

/** Why an upload stopped; `kind` is what `UploadQueue.failed` takes. */
export class UploadFailure extends Error {
  /**
   * @param {string} kind
   * @param {{retryAfter?: number, code?: string, text?: string}} details `retryAfter` in milliseconds.
   */
  constructor(kind, { retryAfter = 0, code = undefined, text = undefined } = {}) {
    super(text ?? kind);
    this.name = "UploadFailure";
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.code = code;
    this.text = text;
  }
}

/**
 * Sends one file, from where an earlier attempt ended.
 *
 * @param {object} job
 * @param {Blob} job.file
 * @param {Record<string, string>} job.metadata Such as `filename` and `album`; empty values are left out.
 * @param {string | null} job.url Where an earlier attempt was sent to; `null` to begin anew.
 * @param {string} job.endpoint Where uploads are created.
 * @param {(request: object) => Promise<{status: number, header: (name: string) => string | null, text: string}>} job.send
 *   Performs `{method, url, headers, body, signal, onProgress}`; rejects where no answer came.
 * @param {(chunk: Blob) => Promise<string>} job.checksum SHA-256 of a chunk in base64.
 * @param {(url: string) => void} job.onCreated
 * @param {(sent: number) => void} job.onProgress Bytes that are on their way or there.
 * @param {AbortSignal} job.signal
 * @returns {Promise<{state: "here" | "already" | "refused" | "unknown", photo: string | null, reason: string | null}>}
 *   `unknown` where all bytes are there, and the laptop no longer says what became of them.
 * @throws {UploadFailure}
 */
export async function upload(job) {
  const { file, onProgress } = job;
  let url = job.url;
  let offset = 0;
  if (url !== null) {
    const found = await currentOffset(job, url);
    if (found.outcome !== null) return found.outcome;
    offset = found.offset;
  } else {
    url = await create(job);
  }
  onProgress(offset);
  let conflictCount = 0;
  for (;;) {
    const chunk = file.slice(offset, Math.min(offset + CHUNK_BYTE_COUNT, file.size));
    const start = offset;
    const answer = await request(job, {
      method: "PATCH",
      url,
      headers: {
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": String(offset),
        "Upload-Checksum": `sha256 ${await job.checksum(chunk)}`,
      },
      body: chunk,
      onProgress: (loaded) => onProgress(start + Math.min(loaded, chunk.size)),
    });
    if (answer.status === 409) {
      conflictCount += 1;
      if (conflictCount > CONFLICT_COUNT_MAX) throw new UploadFailure("busy");
      const found = await currentOffset(job, url);
      if (found.outcome !== null) return found.outcome;
      offset = found.offset;
      onProgress(offset);
      continue;
    }
    expectSuccess(answer);
    const next = integer(answer.header("Upload-Offset"));
    if (next === null || next <= offset || next > offset + chunk.size) throw new UploadFailure("busy");
    offset = next;
    conflictCount = 0;
    onProgress(offset);
    if (offset === file.size) return outcome(answer);
  }
}

/**
 * Ends an upload that is no longer wanted. That it fails is fine: the laptop ends it within a day.
 * @param {{send: Function, url: string, signal?: AbortSignal}} job
 */
export async function terminate(job) {
  try {
    await request(job, { method: "DELETE", url: job.url, headers: {} });
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error;
  }
}

/**
 * Upload-Metadata as tus writes it: keys with base64 of UTF-8.
 * @param {Record<string, string | null | undefined>} values
 */
export function metadataHeader(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([key, value]) => `${key} ${base64(new TextEncoder().encode(value))}`)
    .join(",");
}

/** Base64 of bytes. @param {Uint8Array} bytes */
export function base64(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(text);
}

// MARK: Requests

async function create(job) {
  const answer = await request(job, {
    method: "POST",
    url: job.endpoint,
    headers: { "Upload-Length": String(job.file.size), "Upload-Metadata": metadataHeader(job.metadata) },
  });
  // Here it is the album that is gone, not an upload.
  if (answer.status === 404 || answer.status === 410) throw new UploadFailure("refused", { code: "no_album" });
  expectSuccess(answer);
  const location = answer.header("Location");
  if (answer.status !== 201 || location === null) throw new UploadFailure("busy");
  // The path alone: the laptop may know itself by another address than this page does.
  const { pathname, search } = new URL(location, new URL(job.endpoint, "http://laptop.invalid/"));
  const url = pathname + search;
  job.onCreated(url);
  return url;
}

/** How much of an upload is there; `outcome` where it is complete. */
async function currentOffset(job, url) {
  const answer = await request(job, { method: "HEAD", url, headers: {} });
  expectSuccess(answer);
  const offset = integer(answer.header("Upload-Offset"));
  const length = integer(answer.header("Upload-Length"));
  // An upload of another length belongs to another file.
  if (offset === null || offset > job.file.size || (length !== null && length !== job.file.size)) {
    throw new UploadFailure("expired");
  }
  return { offset, outcome: offset === job.file.size ? outcome(answer) : null };
}

async function request(job, { method, url, headers, body = null, onProgress = undefined }) {
  try {
    return await job.send({
      method, url, headers: { "Tus-Resumable": "1.0.0", ...headers }, body, onProgress, signal: job.signal,
    });
  } catch (error) {
    if (error instanceof UploadFailure) throw error;
    throw new UploadFailure("network");
  }
}

function expectSuccess(answer) {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const retryAfter = 1000 * (integer(answer.header("Retry-After")) ?? 0);
  switch (status) {
    case 401:
      throw new UploadFailure("signed-out");
    case 404:
    case 410:
      throw new UploadFailure("expired");
    case 423:
      throw new UploadFailure("locked", { retryAfter });
    case 460:
      throw new UploadFailure("damaged");
    case 408:
    case 409:
    case 429:
      throw new UploadFailure("busy", { retryAfter });
  }
  const { code, text } = errorOf(answer);
  // 507: the laptop's disk is full; waiting does not help.
  if (status >= 400 && status < 500) throw new UploadFailure("refused", { code: code ?? `status-${status}`, text });
  if (status === 507) throw new UploadFailure("refused", { code: code ?? "disk_full", text });
  throw new UploadFailure("busy", { retryAfter });
}

function errorOf(answer) {
  try {
    const { code, message } = JSON.parse(answer.text).error;
    return { code, text: message };
  } catch {
    // An answer without a body, or not from the laptop's API: the status tells enough.
    return {};
  }
}

function outcome(answer) {
  const state = answer.header("Potluck-State");
  const reason = answer.header("Potluck-Reason");
  return {
    state: state === "here" || state === "already" || state === "refused" ? state : "unknown",
    photo: answer.header("Potluck-Photo"),
    reason: reason === null ? null : decoded(reason),
  };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all.
    return text;
  }
}

function integer(text) {
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
