/** Runs long work in short slices, so that the page reacts to keys meanwhile. */

const BUDGET_MS = 8;

/**
 * Run a generator to its end. It may be interrupted at each `yield`. The first slice runs at once. Return
 * `{value}` with the generator's return value, or null if `signal` was aborted.
 *
 * @template T
 * @param {Generator<unknown, T>} work
 * @param {AbortSignal} signal
 * @returns {Promise<{value: T} | null>}
 */
export async function runInSlices(work, signal) {
  let until = performance.now() + BUDGET_MS;
  while (!signal.aborted) {
    const { done, value } = work.next();
    if (done) return { value };
    if (performance.now() < until) continue;
    await new Promise((resume) => setTimeout(resume));
    until = performance.now() + BUDGET_MS;
  }
  return null;
}
