// A module worker that reads files: their SHA-256, that of one chunk, and what they are. The page stays smooth.

import { fileFacts, chunkChecksum } from "./hashing.js";

addEventListener("message", async ({ data: { id, kind, file } }) => {
  try {
    const result = kind === "file" ? await fileFacts(file) : await chunkChecksum(file);
    postMessage({ id, result });
  } catch {
    // The browser no longer gives the bytes: the file went, or the phone took back its permission.
    postMessage({ id, failure: "unreadable" });
  }
});
