/**
 * What every page of the gallery has besides its pictures: adding, and moving to another laptop.
 */

import { mountAdding } from "../adding/sheet.js";
import { startMoving } from "../joining/moving.js";
import { live } from "../shared/live.js";

/**
 * Starts them, as far as this person may.
 * @param {{person: {may: string[], file_bytes_max: number, gathering: string}, album: {id: string, name: string}|null,
 *   onAdded: () => void}} options `album` is `null` where the person chooses one while adding
 */
export function startServices({ person, album, onAdded }) {
  const adding = person.may.includes("add")
    ? mountAdding({ album, fileBytesMax: person.file_bytes_max, mayMake: person.may.includes("make"), onAdded }) : null;
  startMoving({
    live, me: person,
    unfinished: () => adding?.unfinished() ?? 0,
    unfinishedNames: () => adding?.unfinishedNames() ?? [],
    place: () => location.pathname + location.search,
    onLeave: () => adding?.leave(),
  });
}
