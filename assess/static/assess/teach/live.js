/**
 * Asks an exercise every few seconds how it stands, as long as somebody can see the page.
 *
 * On the page: one `[data-live]` with the address, `data-interval` in ms and `data-state`, what the page shows now;
 * `[data-clock]` shows the time left; `[data-live-rows]` is filled with what the answer brings; `[data-offline]` is shown
 * while there is no connection. When the exercise stands differently the page is loaded anew, unless
 * `data-live-keep-page` says that somebody works on it.
 */

const live = document.querySelector("[data-live]");
const PATIENCE_MS = 10_000;
const WORDS = { waiting: "Not started yet", running: "left", paused: "left, paused", ended: "Time is over" };
let timer = 0;
let known = null; // the last answer, and when it came

async function ask() {
  clearTimeout(timer);
  if (document.hidden) return; // asked again as soon as it is seen
  const answer = await fetchAnswer();
  document.querySelector("[data-offline]")?.toggleAttribute("hidden", answer !== null);
  if (answer?.isGone && !isKept()) return location.reload();
  if (answer && !answer.isGone) take(answer);
  clearTimeout(timer); // two may have asked at once
  timer = setTimeout(ask, Number(live.dataset.every));
}

/** The answer; `{isGone}` where the page is not ours any more; null where nothing came. */
async function fetchAnswer() {
  try {
    const options = { headers: { Accept: "application/json" }, redirect: "manual", cache: "no-store" };
    const response = await fetch(live.dataset.live, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.status >= 500) return null;
    return response.ok ? await response.json() : { isGone: true };
  } catch {
    return null;
  }
}

function take(answer) {
  const { stands } = live.dataset;
  if (stands && stands !== answer.stands && !isKept()) return location.reload();
  known = { ...answer, at: Date.now() };
  tick();
  const rows = document.querySelector("[data-live-rows]");
  if (rows && rows.dataset.html !== answer.html) {
    rows.innerHTML = answer.html; // written by our own server, every name in it escaped
    rows.dataset.html = answer.html;
  }
}

const isKept = () => "liveKeeps" in live.dataset;

function tick() {
  const clock = document.querySelector("[data-clock]");
  if (!clock || !known) return;
  const words = `${timeLeft()} ${WORDS[known.phase] ?? ""}`.trim();
  if (clock.textContent !== words) clock.textContent = words;
  clock.dataset.phase = known.phase;
}

function timeLeft() {
  if (known.left === null) return "";
  const gone = known.phase === "running" ? (Date.now() - known.at) / 1000 : 0;
  const left = Math.max(0, Math.ceil(known.left - gone));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** A form that is sent once is not sent twice: a second nickname would be refused as taken by oneself. */
function sendOnce(event) {
  const form = event.target;
  if (!("once" in form.dataset)) return;
  if (form.dataset.once === "sent") return event.preventDefault();
  form.dataset.once = "sent";
}

document.addEventListener("submit", sendOnce);
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-submit-once]")) form.dataset.once = "";
});
for (const select of document.querySelectorAll("select[data-auto-submit]")) {
  select.addEventListener("change", () => select.form.submit());
}
if (live) {
  document.addEventListener("visibilitychange", ask);
  setInterval(tick, 500);
  ask();
}
