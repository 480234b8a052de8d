// Files that are dropped onto the page or pasted into it, folders included.

/** A folder with more files is rather a disk that was dropped by mistake. */
const FILE_COUNT_MAX = 5000;

/**
 * Listens to drops and pastes anywhere in the page.
 * @param {{onFiles: (files: File[]) => void, onHover: (isHovering: boolean) => void}} handlers
 * @returns {() => void} ends it
 */
export function listenForDrops({ onFiles, onHover }) {
  const controller = new AbortController();
  const listen = (kind, listener) => addEventListener(kind, listener, { signal: controller.signal });
  let depth = 0;
  const hover = (change) => {
    depth = Math.max(0, depth + change);
    onHover(depth > 0);
  };
  listen("dragenter", (event) => holdsFiles(event.dataTransfer) && hover(1));
  listen("dragleave", (event) => holdsFiles(event.dataTransfer) && hover(-1));
  listen("dragover", (event) => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  listen("drop", async (event) => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    hover(-depth);
    const files = await droppedFiles(event.dataTransfer);
    if (files.length > 0) onFiles(files);
  });
  listen("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || isField(event.target)) return;
    event.preventDefault();
    onFiles(files);
  });
  return () => controller.abort();
}

function holdsFiles(transfer) {
  return transfer !== null && [...transfer.types].includes("Files");
}

function isField(target) {
  return target instanceof Element && target.closest("input:not([type=file]), textarea, [contenteditable]") !== null;
}

async function droppedFiles(transfer) {
  // The entries have to be taken before the first wait: the transfer is empty afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.some((entry) => entry?.isDirectory)) {
    const files = [];
    for (const entry of entries) await collect(entry, files);
    return files;
  }
  return [...transfer.files];
}

async function collect(entry, files) {
  if (entry === null || files.length >= FILE_COUNT_MAX || entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
    if (file !== null) files.push(file);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A folder is read some hundred entries at a time, until there are none.
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return;
    for (const inner of some) await collect(inner, files);
  }
}
