/** Long work in short slices, so that a key is answered while it goes on. */

const BUDGET_MS = 8;

/**
 * Run a generator to its end, a slice at a time; each of its yields is a place where it may be interrupted. The first
 * slice is done at once. Tells whether it came to the end: not if `signal` was aborted.
 */
export async function slowly(work, signal) {
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
