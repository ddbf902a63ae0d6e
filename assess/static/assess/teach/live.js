/**
 * Requests the state of an exercise every few seconds while the page is visible.
 *
 * The element `[data-live]` has the address, `data-interval` in ms, and `data-state`, the state that the page shows.
 * `[data-clock]` shows the time left, `[data-live-rows]` gets the answer's HTML, and `[data-offline]` is visible while
 * there is no connection. When the state changes the page is reloaded, unless `data-live-keep-page` is set because
 * somebody works on it.
 */

/**
 * @typedef {object} Answer
 * @property {string} state
 * @property {string} phase
 * @property {number | null} left seconds
 * @property {string} [html]
 */

const live = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"));
const clock = /** @type {HTMLElement | null} */ (document.querySelector("[data-clock]"));
const rows = /** @type {HTMLElement | null} */ (document.querySelector("[data-live-rows]"));
const TIMEOUT_MS = 10_000;
/** @type {Record<string, string>} */
const LABELS = { waiting: "Not started yet", running: "left", paused: "left, paused", ended: "Time is up" };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Answer | null} */
let latest = null;
let latestAt = 0;

/** @param {HTMLElement} live */
async function update(live) {
  clearTimeout(timer);
  if (document.hidden) return; // it is called again when the page is visible
  const answer = await fetchAnswer(live.dataset.live ?? "");
  document.querySelector("[data-offline]")?.toggleAttribute("hidden", answer !== null);
  const canReload = !("liveKeepPage" in live.dataset);
  if (answer === "gone") {
    if (canReload) return location.reload();
  } else if (answer) {
    const { state } = live.dataset;
    if (state && state !== answer.state && canReload) return location.reload();
    show(answer);
  }
  clearTimeout(timer); // two updates may have run at once
  timer = setTimeout(() => update(live), Number(live.dataset.interval));
}

/**
 * The answer, "gone" if this page is no longer available to the user, or null without a connection.
 *
 * @param {string} address
 * @returns {Promise<Answer | "gone" | null>}
 */
async function fetchAnswer(address) {
  try {
    const response = await fetch(address, {
      headers: { Accept: "application/json" },
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status >= 500) return null;
    return response.ok ? await response.json() : "gone";
  } catch {
    return null;
  }
}

/** @param {Answer} answer */
function show(answer) {
  latest = answer;
  latestAt = Date.now();
  showTime();
  if (rows && answer.html !== undefined && rows.dataset.html !== answer.html) {
    rows.innerHTML = answer.html; // from our own server, which escapes all names
    rows.dataset.html = answer.html;
  }
}

function showTime() {
  if (!clock || !latest) return;
  const text = `${timeLeft(latest)} ${LABELS[latest.phase] ?? ""}`.trim();
  if (clock.textContent !== text) clock.textContent = text;
  clock.dataset.phase = latest.phase;
}

/** @param {Answer} answer */
function timeLeft({ left, phase }) {
  if (left === null) return "";
  const elapsed = phase === "running" ? (Date.now() - latestAt) / 1000 : 0;
  const seconds = Math.max(0, Math.ceil(left - elapsed));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Submit a form only once: the second request would be refused because the first one has taken the nickname.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement && "submitOnce" in form.dataset)) return;
  if (form.dataset.submitOnce === "sent") return event.preventDefault();
  form.dataset.submitOnce = "sent";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form")) if ("submitOnce" in form.dataset) form.dataset.submitOnce = "";
});
for (const select of document.querySelectorAll("select")) {
  if ("autoSubmit" in select.dataset) select.addEventListener("change", () => select.form?.submit());
}
if (live) {
  document.addEventListener("visibilitychange", () => update(live));
  setInterval(showTime, 500);
  update(live);
}
