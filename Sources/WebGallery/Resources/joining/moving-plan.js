// When a page looks for another laptop, and when it goes there. Time and chance are arguments.

/** Times in milliseconds. */
export const MOVING_LIMITS = Object.freeze({
  /** Silence of the laptop, counted while the page is awake, after which others are looked for. */
  silenceMax: 5_000,
  /** The same while files are on their way: they cannot come along, so the laptop gets time to come back. */
  silenceMaxUnfinished: 60_000,
  /** A longer gap between two ticks means that the device slept. */
  sleepGapMin: 3_000,
  /** The laptop is asked whether it is there once nothing was heard for so long, and so often. */
  checkInterval: 2_000,
  /** Phones of one laptop do not look for others all at once. */
  jitterMax: 2_000,
  /** Between two rounds of probes. */
  probeInterval: 5_000,
});

/** Addresses of one laptop that are tried. */
const ORIGIN_COUNT_MAX = 4;

/**
 * Decides for one page. Every method returns directives: `{do: "check"}` asks the own laptop for a sign of life,
 * `{do: "probe", origins}` asks the others, `{do: "ask", laptop}` asks the person, `{do: "withdraw"}` takes that
 * question back, and `{do: "go", origin, ticket}` leaves.
 */
export class MovingPlan {
  #random;
  #heardAt;
  #tickedAt;
  #checkedAt = -Infinity;
  #probeAt = null;
  #isProbing = false;
  /** Where to go on if the person says so. */
  #question = null;
  #patienceUntil = 0;
  #hasGone = false;
  #laptops = [];
  #ticket = null;

  /** @param {{now: number, random?: () => number}} options */
  constructor({ now, random = Math.random }) {
    this.#random = random;
    this.#heardAt = now;
    this.#tickedAt = now;
  }

  /**
   * The other laptops with an open door. Each may have several addresses, of which a phone reaches some.
   * @param {{device: string, name: string, origins: string[], here: boolean}[]} laptops
   */
  setLaptops(laptops) {
    this.#laptops = laptops
      .filter((laptop) => !laptop.here)
      .map((laptop) => ({ ...laptop, origins: laptop.origins.filter(isOrigin).slice(0, ORIGIN_COUNT_MAX) }))
      .filter((laptop) => laptop.origins.length > 0);
    return [];
  }

  /** The newest ticket. */
  setTicket(ticket) {
    this.#ticket = ticket;
    return [];
  }

  /** Whether there is anywhere to go. */
  get canMove() {
    return this.#ticket !== null && this.#laptops.length > 0;
  }

  /** The own laptop gave a sign of life. */
  heard(now) {
    this.#heardAt = now;
    this.#probeAt = null;
    this.#patienceUntil = 0;
    if (this.#question === null) return [];
    this.#question = null;
    return [{ do: "withdraw" }];
  }

  /**
   * A second has passed, or so.
   * @param {number} now
   * @param {{isVisible: boolean, unfinishedCount: number}} page
   */
  tick(now, { isVisible, unfinishedCount }) {
    const hasSlept = now - this.#tickedAt > MOVING_LIMITS.sleepGapMin;
    this.#tickedAt = now;
    if (this.#hasGone) return [];
    if (hasSlept || !isVisible) {
      // After sleep the laptop gets its time anew: the Wi-Fi has to come back first.
      this.#heardAt = now;
      this.#probeAt = null;
      return [];
    }
    const silence = now - this.#heardAt;
    const directives = [];
    if (silence >= MOVING_LIMITS.checkInterval && now - this.#checkedAt >= MOVING_LIMITS.checkInterval) {
      this.#checkedAt = now;
      directives.push({ do: "check" });
    }
    const silenceMax = unfinishedCount > 0 ? MOVING_LIMITS.silenceMaxUnfinished : MOVING_LIMITS.silenceMax;
    if (silence < silenceMax || now < this.#patienceUntil || !this.canMove || this.#question !== null) return directives;
    this.#probeAt ??= now + this.#random() * MOVING_LIMITS.jitterMax;
    if (now < this.#probeAt || this.#isProbing) return directives;
    this.#isProbing = true;
    return [...directives, { do: "probe", origins: this.#laptops.flatMap((laptop) => laptop.origins) }];
  }

  /**
   * The probes are over.
   * @param {string | null} origin The first address that a laptop answered at.
   * @param {{unfinishedCount: number}} page
   */
  probed(origin, now, { unfinishedCount }) {
    this.#isProbing = false;
    // Meanwhile the own laptop came back, the device slept, or the page is on its way.
    if (this.#probeAt === null || this.#hasGone) return [];
    const laptop = this.#laptops.find((other) => other.origins.includes(origin));
    if (laptop === undefined) {
      this.#probeAt = now + MOVING_LIMITS.probeInterval * (1 + this.#random());
      return [];
    }
    if (unfinishedCount > 0) {
      this.#question = origin;
      return [{ do: "ask", laptop }];
    }
    return this.#go(origin);
  }

  /** The person answered whether to leave unfinished files behind. */
  answered(isYes, now) {
    const origin = this.#question;
    this.#question = null;
    if (origin === null) return [];
    if (isYes) return this.#go(origin);
    this.#probeAt = null;
    this.#patienceUntil = now + MOVING_LIMITS.silenceMaxUnfinished;
    return [];
  }

  #go(origin) {
    this.#hasGone = true;
    return [{ do: "go", origin, ticket: this.#ticket }];
  }
}

function isOrigin(text) {
  return typeof text === "string" && /^http:\/\/[A-Za-z0-9.:[\]-]+$/.test(text);
}
