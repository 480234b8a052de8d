/**
 * What can be taken home: what is chosen, what is shown, or the whole album. Pure.
 */

import { plural } from "../shared/words.js";

/**
 * @typedef {{id: string, icon: string, title: string, text: string, fields: Record<string, string>}} Choice `fields` are
 *   what the laptop is asked with
 */

const small = "2,048 pixels: enough for a screen, a tenth of the size";
const whole = "Full size, nothing changed";

/**
 * The choices of the sheet. Where a search is on, what is shown comes first, and the whole album says that it is that.
 * @param {{photos: string[], filters: Record<string, string>, count: number, browser: string}} what `photos` are the
 *   chosen ones, `filters` those of the search, `count` how many photos are shown
 * @returns {Choice[]}
 */
export function takeHomeChoices({ photos, filters, count, browser }) {
  if (photos.length > 0) return sizes(plural(photos.length, "photo"), { photos: photos.join(",") });
  if (Object.keys(filters).length === 0) {
    const [original, smaller] = sizes("All photos", {});
    const fresh = {
      id: "new", icon: "clock", title: "Only what is new", text: "Since this browser took photos home last",
      fields: { size: "original", new_for: browser },
    };
    return [original, fresh, smaller];
  }
  return [
    ...sizes(count === 1 ? "The photo that is shown" : `The ${plural(count, "photo")} that are shown`, filters),
    {
      id: "album", icon: "album", title: "The whole album, as it was taken", text: "Also what the search leaves out",
      fields: { size: "original" },
    },
  ];
}

function sizes(which, fields) {
  return [
    { id: "original", icon: "photo", title: `${which}, as taken`, text: whole, fields: { ...fields, size: "original" } },
    { id: "small", icon: "phone", title: `${which}, smaller`, text: small, fields: { ...fields, size: "2048" } },
  ];
}
