/**
 * An exported album, for the grid and the viewer: like gallery/album-source.js, but all of it is there from the start.
 */

import { flag, Photos } from "../gallery/photos.js";
import { base64urlFromHex } from "../shared/ids.js";

/** Of photos whose size is not known, as the page without scripts shows them. */
const standardAspect = 4 / 3;

export class ExportedAlbum {
  /** No search is ever on. */
  query = "";

  /** @param {{date: string, records: import("./records.js").PhotoRecord[]}[]} days in the order in which they are
   *   shown, those of a month beside each other; `date` is `2026-07-04`, or empty */
  constructor(days) {
    const listings = [];
    const months = [];
    for (const { date, records } of days) {
      const month = date === "" ? "undated" : date.slice(0, 7);
      const day = date === "" ? 0 : Number(date.slice(8));
      if (months.at(-1)?.month !== month) {
        months.push({ month, version: "", days: [] });
        listings.push({ month, version: "", photos: [] });
      }
      const rows = records.map((record) => rowOf(record, day));
      months.at(-1).days.push([day, rows.length, rows.reduce((sum, row) => sum + row[2], 0) / 1000]);
      listings.at(-1).photos.push(...rows);
    }
    this.photos = new Photos({ months });
    for (const listing of listings) this.photos.add(listing);
  }

  /** Every month is there. */
  async loadMonth() {}
}

function rowOf(record, day) {
  const { id, small, isVideo, moving, seconds, width, height } = record;
  const aspect = width > 0 && height > 0 ? width / height : standardAspect;
  const flags = isVideo ? flag.video : moving ? flag.moving : 0;
  return [base64urlFromHex(id), small, Math.round(aspect * 1000), day, flags, seconds];
}
