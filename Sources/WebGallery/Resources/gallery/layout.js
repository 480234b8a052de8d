/**
 * Where pictures stand: justified rows that keep every picture's shape. Pure arithmetic in CSS pixels.
 *
 * A *run* is what is laid out in one go. A day that fills a row is a run of its own and begins at the left edge; days
 * that do not fill a row share a run and its rows, each with its label above its first picture. Breaks are chosen for a
 * whole run at once (as TeX does with lines, Knuth and Plass 1981), so that the last row is as full as the others
 * wherever the pictures allow it: no white holes.
 */

/** A run may be this much of a row wide and still be stretched to a whole one. */
const fullEnough = 0.75;
/** Small days are collected until they make this many rows: few months have to be loaded for the first picture. */
const sharedRowsMax = 4;
/** How much taller or lower than the target a row may be before it counts as ugly. */
const stretchMax = 1.5;
/** A last row may be this much taller than the target; one that would be taller still keeps the target's height. */
const lastStretchMax = 2;
/** What it costs to leave a last row unfilled: more than any row that is filled, so that it happens where nothing else
    is possible, in albums of a few photos. */
const unfilledCost = 4;

/**
 * @typedef {object} Frame what the rows have to fit into
 * @property {number} width
 * @property {number} target height of a row
 * @property {number} gap between pictures, and between rows
 * @property {number} label height of the line of labels above a row
 * @property {number} air above a line of labels
 *
 * @typedef {object} DayPart
 * @property {string} month
 * @property {number} day
 * @property {number} first ordinal of its first photo
 * @property {number} count of its photos
 * @property {number} sum of its photos' aspect ratios, as the header says
 *
 * @typedef {object} Run
 * @property {DayPart[]} days
 * @property {number} first ordinal
 * @property {number} count
 * @property {number} sum
 * @property {number} firstMonth position of its first photo's month
 * @property {number} lastMonth
 * @property {number} estimate of its height
 *
 * @typedef {object} Row
 * @property {number} top of its labels, or of its pictures where it has none, within the run
 * @property {number} bottom
 * @property {number} pictureTop
 * @property {number} height of its pictures
 * @property {{ordinal: number, left: number, width: number}[]} tiles
 * @property {{day: DayPart, left: number, width: number}[]} labels
 */

/**
 * Divides an album into runs, from its header alone.
 * @param {{month: string, days: [number, number, number][]}[]} months as in `Photos.months`
 * @param {Frame} frame
 * @returns {Run[]}
 */
export function planRuns(months, frame) {
  const runs = [];
  let small = null;
  const close = () => {
    if (!small) return;
    // Too little for a row of its own: it goes on beside what stands before it.
    if (fill(small, frame) < fullEnough && runs.length > 0) join(runs[runs.length - 1], small);
    else runs.push(small);
    small = null;
  };
  for (const day of daysOf(months)) {
    const run = runOf(day);
    if (fill(run, frame) >= 1) {
      const isHead = small && runs.length === 0 && fill(small, frame) < fullEnough;
      if (isHead) {
        // Small days at the album's very top have nothing before them: the large day goes on beside them.
        join(small, run);
        close();
      } else {
        close();
        runs.push(run);
      }
    } else {
      if (small) join(small, run);
      else small = run;
      if (fill(small, frame) >= sharedRowsMax) close();
    }
  }
  close();
  for (const run of runs) run.estimate = estimate(run, frame);
  return runs;
}

/**
 * The height that a run is going to have, more or less.
 * @param {Run} run
 * @param {Frame} frame
 * @returns {number}
 */
export function estimate(run, frame) {
  const rows = Math.max(1, Math.round(fill(run, frame)));
  const perRow = run.count / rows;
  const isFull = fill(run, frame) >= fullEnough;
  const height = isFull ? (frame.width - (perRow - 1) * frame.gap) / (run.sum / rows) : frame.target;
  const labelled = new Set();
  let before = 0;
  for (const day of run.days) {
    labelled.add(Math.min(rows - 1, Math.floor((before / run.sum) * rows)));
    before += day.sum;
  }
  return rows * (height + frame.gap) + labelled.size * (frame.label + frame.air);
}

/**
 * Lays a run out.
 * @param {Run} run
 * @param {(ordinal: number) => number} aspectAt the aspect ratio of a photo
 * @param {Frame} frame
 * @returns {{rows: Row[], height: number}}
 */
export function layRun(run, aspectAt, frame) {
  const aspects = Array.from({ length: run.count }, (none, index) => aspectAt(run.first + index));
  const starts = breakRows(aspects, frame);
  const labels = new Map(run.days.map((day) => [day.first - run.first, day]));
  const rows = [];
  let top = 0;
  starts.forEach((start, index) => {
    const end = starts[index + 1] ?? run.count;
    const row = layRow(run, aspects, start, end, end === run.count, labels, frame);
    moveRow(row, top, frame);
    top = row.bottom + frame.gap;
    rows.push(row);
  });
  return { rows, height: top };
}

/**
 * The rows of pictures: the positions at which they begin. The sum of (ln of the stretch)² over all pictures, by their
 * widths, is the least possible.
 * @param {number[]} aspects
 * @param {Frame} frame
 * @returns {number[]}
 */
export function breakRows(aspects, frame) {
  const count = aspects.length;
  const best = new Float64Array(count + 1).fill(Infinity);
  const previous = new Int32Array(count + 1);
  best[0] = 0;
  for (let start = 0; start < count; start += 1) {
    let sum = 0;
    for (let end = start + 1; end <= count; end += 1) {
      sum += aspects[end - 1];
      const stretch = stretchOf(sum, end - start, frame);
      // By the width of its pictures, or few rows would look better than many.
      const cost = best[start] + sum * rowCost(stretch, end === count);
      if (cost < best[end]) {
        best[end] = cost;
        previous[end] = start;
      }
      // A longer row would be lower still.
      if (stretch < 1 / (stretchMax * stretchMax)) break;
    }
  }
  const starts = [];
  for (let end = count; end > 0; end = previous[end]) starts.push(previous[end]);
  return starts.reverse();
}

/** How many rows of the target's height a run fills. */
function fill(run, frame) {
  return (run.sum * frame.target + run.count * frame.gap) / (frame.width + frame.gap);
}

function stretchOf(sum, count, frame) {
  return Math.max(1, frame.width - (count - 1) * frame.gap) / sum / frame.target;
}

function rowCost(stretch, isLast) {
  const ugliness = Math.log(stretch) ** 2;
  if (isLast && stretch > lastStretchMax) return unfilledCost * stretch;
  // Not forbidden: a panorama may leave no choice.
  return stretch > stretchMax || stretch < 1 / stretchMax ? ugliness * 4 : ugliness;
}

function layRow(run, aspects, start, end, isLast, labels, frame) {
  let sum = 0;
  for (let index = start; index < end; index += 1) sum += aspects[index];
  const stretch = stretchOf(sum, end - start, frame);
  const isFull = !(isLast && stretch > lastStretchMax);
  const height = isFull ? frame.target * stretch : frame.target;
  const tiles = [];
  const found = [];
  let left = 0;
  for (let index = start; index < end; index += 1) {
    // Whole pixels, so that gaps look equal; the last picture ends at the edge exactly.
    const right = index === end - 1 && isFull ? frame.width : left + aspects[index] * height;
    const day = labels.get(index);
    if (day) found.push({ day, left: Math.round(left), width: 0 });
    tiles.push({ ordinal: run.first + index, left: Math.round(left), width: Math.round(right) - Math.round(left) });
    left = right + frame.gap;
  }
  found.forEach((label, index) => {
    label.width = (found[index + 1]?.left ?? frame.width) - label.left - (index + 1 < found.length ? frame.gap : 0);
  });
  return { top: 0, bottom: 0, pictureTop: 0, height: Math.round(height), tiles, labels: found };
}

function moveRow(row, top, frame) {
  row.top = top;
  row.pictureTop = top + (row.labels.length > 0 ? frame.air + frame.label : 0);
  row.bottom = row.pictureTop + row.height;
}

function* daysOf(months) {
  let first = 0;
  for (const [index, month] of months.entries()) {
    for (const [day, count, sum] of month.days) {
      if (count === 0) continue;
      yield { month: month.month, monthIndex: index, day, first, count, sum: sum > 0 ? sum : count };
      first += count;
    }
  }
}

function runOf(day) {
  const { monthIndex, ...part } = day;
  return {
    days: [part], first: day.first, count: day.count, sum: day.sum, firstMonth: monthIndex, lastMonth: monthIndex,
    estimate: 0,
  };
}

function join(run, other) {
  run.days.push(...other.days);
  run.count += other.count;
  run.sum += other.sum;
  run.lastMonth = other.lastMonth;
}
