// What a phone really handed over: type, and whether place and date of capture are still inside.

/** Bytes of a file's beginning that `describeArrival` looks at. */
export const ARRIVAL_BYTE_COUNT = 512 * 1024;

const TAG_EXIF = 0x8769;
const TAG_GPS = 0x8825;
const TAG_DATE_ORIGINAL = 0x9003;
const TAG_LATITUDE = 0x0002;
const TAG_LONGITUDE = 0x0004;
/** Directories with more entries are damaged. */
const ENTRY_COUNT_MAX = 512;

/**
 * Reads the beginning of a file.
 * @param {Uint8Array} bytes At most `ARRIVAL_BYTE_COUNT` are needed.
 * @returns {{type: string | null, place: boolean | null, date: boolean | null}} `null` where the beginning does not
 *   tell: of videos, of types that are not read here, and of pictures whose record lies further back.
 */
export function describeArrival(bytes) {
  const type = typeOf(bytes);
  const unknown = { type, place: null, date: null };
  if (type === "JPEG") {
    const record = exifOfJPEG(bytes);
    if (record === undefined) return unknown;
    return record === null ? { type, place: false, date: false } : { type, ...readTIFF(record) };
  }
  if (type === "HEIC") {
    const record = exifOfHEIC(bytes);
    return record === null ? unknown : { type, ...readTIFF(record) };
  }
  return unknown;
}

/**
 * What arrived, in words: “JPEG, without place”; `null` where nothing is known.
 * @param {{type: string | null, place: boolean | null, date: boolean | null} | null} arrived
 */
export function arrivalWords(arrived) {
  if (arrived === null || arrived.type === null) return null;
  const words = [arrived.type];
  if (arrived.place === true) words.push("with place");
  if (arrived.place === false) words.push(arrived.date === false ? "without place and date" : "without place");
  return words.join(", ");
}

// MARK: Types

function typeOf(bytes) {
  if (starts(bytes, [0xff, 0xd8, 0xff])) return "JPEG";
  if (starts(bytes, [0x89, 0x50, 0x4e, 0x47])) return "PNG";
  if (ascii(bytes, 0, 4) === "GIF8") return "GIF";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP") return "WebP";
  if (starts(bytes, [0x49, 0x49, 0x2a, 0x00]) || starts(bytes, [0x4d, 0x4d, 0x00, 0x2a])) return "TIFF or raw";
  if (starts(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return "WebM or Matroska video";
  if (ascii(bytes, 4, 4) === "ftyp") {
    const brand = ascii(bytes, 8, 4);
    if (["heic", "heix", "heim", "heis", "mif1", "msf1", "hevc"].includes(brand)) {
      return ascii(bytes, 16, 24).includes("avif") ? "AVIF" : "HEIC";
    }
    if (brand === "avif" || brand === "avis") return "AVIF";
    if (brand === "crx ") return "Canon raw";
    return brand === "qt  " ? "QuickTime video" : "MP4 video";
  }
  return null;
}

// MARK: Finding the record

/** The TIFF record of a JPEG; `null` where there is none, `undefined` where its end was not reached. */
function exifOfJPEG(bytes) {
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // From here on there are only pixels.
    if (marker === 0xda || marker === 0xd9) return null;
    const length = (bytes[at + 2] << 8) | bytes[at + 3];
    if (length < 2) return null;
    if (marker === 0xe1 && ascii(bytes, at + 4, 6) === "Exif\0\0") {
      return at + 2 + length <= bytes.length ? bytes.subarray(at + 10, at + 2 + length) : undefined;
    }
    at += 2 + length;
  }
  return undefined;
}

/** The TIFF record of a HEIC, if it lies near the beginning, where phones write it. */
function exifOfHEIC(bytes) {
  for (let at = 0; at + 14 <= bytes.length; at += 1) {
    if (bytes[at] !== 0x45 || ascii(bytes, at, 6) !== "Exif\0\0") continue;
    const order = ascii(bytes, at + 6, 2);
    if (order === "MM" || order === "II") return bytes.subarray(at + 6);
  }
  return null;
}

// MARK: TIFF

function readTIFF(record) {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const unknown = { place: null, date: null };
  if (view.byteLength < 8) return unknown;
  const isLittle = ascii(record, 0, 2) === "II";
  const first = entries(view, view.getUint32(4, isLittle), isLittle);
  if (first === null) return unknown;
  const gps = first.has(TAG_GPS) ? entries(view, first.get(TAG_GPS).value, isLittle) : new Map();
  const exif = first.has(TAG_EXIF) ? entries(view, first.get(TAG_EXIF).value, isLittle) : new Map();
  return {
    place: gps === null ? null : hasDegrees(view, gps.get(TAG_LATITUDE), isLittle)
      && hasDegrees(view, gps.get(TAG_LONGITUDE), isLittle),
    date: exif === null ? null : exif.has(TAG_DATE_ORIGINAL),
  };
}

/** The entries of a directory by tag; `null` where it lies outside of the record. */
function entries(view, offset, isLittle) {
  if (offset + 2 > view.byteLength) return null;
  const count = view.getUint16(offset, isLittle);
  if (count > ENTRY_COUNT_MAX || offset + 2 + 12 * count > view.byteLength) return null;
  const found = new Map();
  for (let index = 0; index < count; index += 1) {
    const at = offset + 2 + 12 * index;
    found.set(view.getUint16(at, isLittle), {
      count: view.getUint32(at + 4, isLittle),
      value: view.getUint32(at + 8, isLittle),
    });
  }
  return found;
}

/** Three fractions. Phones that take out a place leave the entry with 0/0 at times. */
function hasDegrees(view, entry, isLittle) {
  if (entry === undefined || entry.count !== 3 || entry.value + 24 > view.byteLength) return false;
  return view.getUint32(entry.value + 4, isLittle) !== 0;
}

function starts(bytes, expected) {
  return expected.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes, start, count) {
  return String.fromCharCode(...bytes.subarray(start, start + count));
}
