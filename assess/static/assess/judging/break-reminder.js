/** Suggests a break after every 50 judgements. The count continues across topics and is deleted at sign-out. */

const EVERY = 50;
const KEY = "assay judged"; // sessionStorage: [user id, count]

/**
 * Change the count and return a message, or "".
 *
 * @param {number} user
 * @param {number} change +1 or -1
 */
export function countJudged(user, change) {
  let count = 0;
  try {
    const [storedUser, stored] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    count = Math.max(0, (storedUser === user ? stored : 0) + change);
    sessionStorage.setItem(KEY, JSON.stringify([user, count]));
  } catch {
    return ""; // storage is blocked: no reminders
  }
  const isTime = change > 0 && count % EVERY === 0;
  return isTime ? `You have judged ${count} documents. This is a good moment for a break.` : "";
}

export const forgetCount = () => sessionStorage.removeItem(KEY);
