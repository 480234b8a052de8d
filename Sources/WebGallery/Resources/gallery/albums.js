/**
 * The cards of albums.
 */

import { albumPage, photoPage, thumbnailAddress } from "../shared/addresses.js";
import { fill, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { rounds } from "../shared/people.js";
import { count, plural } from "../shared/words.js";
import { newSince } from "./recent.js";

/**
 * Shows albums in a list, the one with the newest photo first. Cards that did not change stay as they are.
 * @param {HTMLElement} list
 * @param {{id: string, name: string, photos: number, covers?: string[], people?: string[], newest?: string}[]} albums
 */
export function showAlbums(list, albums) {
  const sorted = [...albums].sort((one, other) => (other.newest ?? "").localeCompare(one.newest ?? "")
    || one.name.localeCompare(other.name));
  const known = new Map([...list.children].map((item) => [item.dataset.state, item]));
  const items = sorted.map((album) => {
    const state = JSON.stringify([album.id, album.name, album.photos, album.covers, album.people, newSince(album.id, album.photos)]);
    const old = known.get(state);
    if (old) return old;
    const item = card(album);
    item.dataset.state = state;
    return item;
  });
  fill(list, items);
}

/**
 * `3 albums, 1,234 photos`.
 * @param {{photos: number}[]} albums
 * @returns {string}
 */
export function summaryOf(albums) {
  const photos = albums.reduce((sum, album) => sum + album.photos, 0);
  return `${plural(albums.length, "album")}, ${plural(photos, "photo")}`;
}

/**
 * Shows photos that were seen lately.
 * @param {HTMLElement} section hidden where there are none
 * @param {import("./recent.js").Seen[]} photos
 */
export function showRecent(section, photos) {
  section.hidden = photos.length === 0;
  fill(section.querySelector("ul"), photos.map((seen) => make(
    "li", {},
    make(
      "a", { class: "recent-photo", href: photoPage(seen.album, seen.photo) },
      make("img", {
        "data-photo": seen.photo, src: thumbnailAddress(seen.photo, seen.thumbnail), alt: "Photo that you saw lately",
        loading: "lazy", decoding: "async", height: 96, width: Math.round(96 * (seen.aspect || 1)),
        // A photo that was removed since has no picture any more.
        onerror: (event) => event.currentTarget.closest("li").remove(),
      }),
    ),
  )));
}

function card(album) {
  const fresh = newSince(album.id, album.photos);
  const covers = (album.covers ?? []).slice(0, 4);
  return make(
    "li", {},
    make(
      "a", { class: "album", href: albumPage(album.id) },
      make(
        "span", { class: "album-cover" },
        covers.length > 0 ? covers.map((photo) => coverImage(photo)) : icon("photo"),
      ),
      make("span", { class: "album-name" }, album.name, fresh > 0 && make("span", { class: "badge" }, `${count(fresh)} new`)),
      make(
        "span", { class: "album-words" },
        album.photos > 0 ? plural(album.photos, "photo") : "No photos yet",
        album.people?.length > 0 && rounds(album.people),
      ),
    ),
  );
}

function coverImage(photo) {
  return make("img", {
    "data-photo": photo, src: thumbnailAddress(photo), alt: "", loading: "lazy", decoding: "async",
    onerror: (event) => event.currentTarget.classList.add("cover-missing"),
  });
}
