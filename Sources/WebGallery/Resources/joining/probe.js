// Runs in a hidden frame whose policy lets it ask the other laptops, and nothing else: which of them answers first?

const PROBE_DELAY_MAX = 3_000;

addEventListener("message", async (event) => {
  if (event.origin !== location.origin || event.source !== parent || !Array.isArray(event.data?.probe)) return;
  const { probe, gathering } = event.data;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PROBE_DELAY_MAX);
  let found = null;
  try {
    found = await Promise.any(probe.map((origin) => answers(origin, gathering, controller.signal)));
  } catch {
    // None of them answered.
  }
  clearTimeout(timer);
  controller.abort();
  parent.postMessage({ found }, location.origin);
});

/** Returns the origin if a laptop of this gathering answers there with its door open; rejects otherwise. */
async function answers(origin, gathering, signal) {
  const response = await fetch(`${origin}/api/v1/alive`, {
    credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", signal,
  });
  const alive = await response.json();
  if (!response.ok || alive.guests !== true || alive.gathering !== gathering) throw new Error("not for guests of this gathering");
  return origin;
}
