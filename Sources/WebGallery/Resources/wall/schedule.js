// Which photos the wall shows next. No clock and no chance of its own: equal calls give equal slides.

/** Bounds of the wall. Times are milliseconds. */
export const WALL_LIMITS = Object.freeze({
  /** How long a slide stays, new or not. */
  slideDelay: 8_000,
  /** Photos that the wall goes through; older ones are left out. */
  photoCountMax: 5_000,
  /** New photos that wait for their slide; of more, the oldest take their turn like any other. */
  arrivalCountMax: 60,
  /** Pictures on one slide. */
  columnCountMax: 3,
  /** Narrower than this is upright. */
  uprightAspectMax: 0.95,
  /** Photos of one person's newest day that are looked through for another upright one. */
  companionSearchMax: 50,
});

/**
 * @typedef {{id: string, album: string, by: string, day: string, aspect: number}} WallPhoto `day` is YYYY-MM-DD or
 *   empty, `aspect` is width by height.
 * @typedef {{photos: WallPhoto[], isNew: boolean}} Slide
 */

/**
 * Takes turns between people. The wall goes through all photos in rounds: newest day first, and nobody twice in a row
 * while somebody else has photos left in the round. New photos come before all others.
 */
export class WallSchedule {
  #photos = new Map();
  #shown = new Set();
  /** The photos that this round has still to show, of each person, the next one last. */
  #waiting = new Map();
  #arrivals = [];
  #lastTurns = new Map();
  #turn = 0;
  #last = { people: new Set(), isNew: false };

  /** How many photos the wall knows. */
  get photoCount() {
    return this.#photos.size;
  }

  /** Takes the list of all photos; what this round has shown stays shown. @param {WallPhoto[]} photos */
  setPhotos(photos) {
    const sorted = [...photos].sort(newestFirst).slice(0, WALL_LIMITS.photoCountMax);
    this.#photos = new Map(sorted.map((photo) => [photo.id, photo]));
    this.#shown = new Set([...this.#shown].filter((id) => this.#photos.has(id)));
    this.#arrivals = this.#arrivals.filter((photo) => this.#photos.has(photo.id));
    this.#fillWaiting();
  }

  /** A photo was added just now. @param {WallPhoto} photo */
  add(photo) {
    if (this.#photos.has(photo.id)) return;
    this.#photos.set(photo.id, photo);
    this.#arrivals.push(photo);
    if (this.#arrivals.length > WALL_LIMITS.arrivalCountMax) this.#wait(this.#arrivals.shift());
    if (this.#photos.size > WALL_LIMITS.photoCountMax) this.#removeOldest();
  }

  /** A photo left its album. */
  remove(id) {
    const photo = this.#photos.get(id);
    if (photo === undefined) return;
    this.#photos.delete(id);
    this.#shown.delete(id);
    this.#arrivals = this.#arrivals.filter((other) => other !== photo);
    const list = this.#waiting.get(photo.by);
    if (list !== undefined) this.#setWaiting(photo.by, list.filter((other) => other !== photo));
  }

  /** Whether a new photo may take the place of a slide that is not new. */
  get hasArrival() {
    return this.#eligibleArrival() !== undefined;
  }

  /**
   * The next slide; `null` where there are no photos.
   * @param {number} screenAspect Width by height of the wall.
   * @returns {Slide | null}
   */
  next(screenAspect) {
    if (this.#photos.size === 0) return null;
    const arrival = this.#eligibleArrival();
    const photos = arrival === undefined ? this.#routine(screenAspect) : this.#arrivalsWith(arrival, screenAspect);
    const isNew = arrival !== undefined;
    for (const photo of photos) this.#show(photo);
    this.#last = { people: new Set(photos.map((photo) => photo.by)), isNew };
    return { photos, isNew };
  }

  // MARK: New photos

  /** The first new photo, unless the same person's new photo was on the last slide and others wait. */
  #eligibleArrival() {
    const isFree = (photo) => !this.#last.isNew || !this.#last.people.has(photo.by);
    const free = this.#arrivals.find(isFree);
    if (free !== undefined || this.#arrivals.length === 0) return free;
    return this.#hasOthers(this.#last.people) ? undefined : this.#arrivals[0];
  }

  #arrivalsWith(first, screenAspect) {
    return this.#columns(first, screenAspect, (people) =>
      this.#arrivals.find((photo) => isUpright(photo) && !people.has(photo.by))
      ?? this.#arrivals.find((photo) => photo !== first && isUpright(photo)), true);
  }

  // MARK: The round

  #routine(screenAspect) {
    if (this.#waiting.size === 0) this.#beginRound();
    const first = this.#nextOf(this.#last.people) ?? this.#nextOf(new Set());
    return this.#columns(first, screenAspect, (people) => {
      const other = this.#nextUpright(people);
      return other ?? (this.#hasOthers(people) ? undefined : this.#nextUpright(new Set()));
    }, false);
  }

  /** Adds upright ones beside an upright first one, as long as they fill more of the screen. */
  #columns(first, screenAspect, findCompanion, isNew) {
    const photos = [first];
    const take = (photo) => {
      if (isNew) this.#arrivals = this.#arrivals.filter((other) => other !== photo);
      else this.#setWaiting(photo.by, this.#waiting.get(photo.by).filter((other) => other !== photo));
    };
    take(first);
    while (isUpright(first) && photos.length < WALL_LIMITS.columnCountMax) {
      const companion = findCompanion(new Set(photos.map((photo) => photo.by)));
      if (companion === undefined) break;
      if (filledShare([...photos, companion], screenAspect) <= filledShare(photos, screenAspect)) break;
      take(companion);
      photos.push(companion);
    }
    return photos;
  }

  /** Of the people who may come: the newest day first, then whoever was not shown for longest. */
  #nextOf(excluded) {
    return this.#best(excluded, (list) => list.at(-1));
  }

  #nextUpright(excluded) {
    return this.#best(excluded, (list) => {
      const { day } = list.at(-1);
      for (let index = list.length - 1; index >= Math.max(0, list.length - WALL_LIMITS.companionSearchMax); index -= 1) {
        if (list[index].day !== day) return undefined;
        if (isUpright(list[index])) return list[index];
      }
      return undefined;
    });
  }

  #best(excluded, choose) {
    let best;
    for (const [person, list] of this.#waiting) {
      const photo = excluded.has(person) ? undefined : choose(list);
      if (photo !== undefined && (best === undefined || this.#comesBefore(photo, best))) best = photo;
    }
    return best;
  }

  #comesBefore(photo, other) {
    if (photo.day !== other.day) return photo.day > other.day;
    const turn = this.#lastTurns.get(photo.by) ?? 0;
    const otherTurn = this.#lastTurns.get(other.by) ?? 0;
    return turn !== otherTurn ? turn < otherTurn : photo.by < other.by;
  }

  #hasOthers(people) {
    for (const person of this.#waiting.keys()) if (!people.has(person)) return true;
    return this.#arrivals.some((photo) => !people.has(photo.by));
  }

  #beginRound() {
    this.#shown.clear();
    this.#fillWaiting();
  }

  #fillWaiting() {
    this.#waiting.clear();
    const isArrival = new Set(this.#arrivals);
    for (const photo of [...this.#photos.values()].sort(newestFirst).reverse()) {
      if (!this.#shown.has(photo.id) && !isArrival.has(photo)) this.#push(photo);
    }
  }

  #push(photo) {
    const list = this.#waiting.get(photo.by);
    if (list === undefined) this.#waiting.set(photo.by, [photo]);
    else list.push(photo);
  }

  /** Puts one photo to its place in its person's list. */
  #wait(photo) {
    this.#setWaiting(photo.by, [...(this.#waiting.get(photo.by) ?? []), photo].sort(newestFirst).reverse());
  }

  #setWaiting(person, list) {
    if (list.length === 0) this.#waiting.delete(person);
    else this.#waiting.set(person, list);
  }

  #removeOldest() {
    let oldest = null;
    for (const photo of this.#photos.values()) if (oldest === null || newestFirst(oldest, photo) < 0) oldest = photo;
    this.remove(oldest.id);
  }

  #show(photo) {
    this.#turn += 1;
    this.#shown.add(photo.id);
    this.#lastTurns.set(photo.by, this.#turn);
  }
}

/** The share of the screen that pictures of one height fill, side by side. */
export function filledShare(photos, screenAspect) {
  const sum = photos.reduce((total, photo) => total + photo.aspect, 0);
  return sum <= screenAspect ? sum / screenAspect : screenAspect / sum;
}

function isUpright(photo) {
  return photo.aspect < WALL_LIMITS.uprightAspectMax;
}

function newestFirst(a, b) {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
