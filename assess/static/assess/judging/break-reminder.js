/** A word about a pause, now and then. The count goes on from topic to topic and goes away with the sign-out. */

const EVERY = 50;
const KEY = "assay judged";

export function countJudged(user, by) {
  let count = 0;
  try {
    const [whose, before] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    count = Math.max(0, (whose === user ? before : 0) + by);
    sessionStorage.setItem(KEY, JSON.stringify([user, count]));
  } catch {
    return ""; // a browser that keeps nothing gives no hints
  }
  const isTime = by > 0 && count % EVERY === 0;
  return isTime ? `${count} judged since you began: a good moment for a pause.` : "";
}

export const forgetJudged = () => sessionStorage.removeItem(KEY);
