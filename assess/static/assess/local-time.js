/**
 * Shows times in the reader's time zone: each `<time datetime data-local>`, whose text without script is in UTC.
 *
 * `data-local` is "time" (hour and minute), "seconds" (day and time with seconds) or "" (date, hour and minute).
 */

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMATS = {
  time: { hour: "2-digit", minute: "2-digit" },
  seconds: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  "": { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
};

/** @param {ParentNode} root */
export function showLocalTimes(root) {
  for (const element of root.querySelectorAll("time[data-local]")) {
    if (!(element instanceof HTMLTimeElement) || element.title) continue;
    const format = new Intl.DateTimeFormat("en-GB", { hourCycle: "h23", ...FORMATS[element.dataset.local ?? ""] });
    element.title = element.textContent?.trim() ?? "";
    element.textContent = format.format(new Date(element.dateTime));
  }
}

showLocalTimes(document);
