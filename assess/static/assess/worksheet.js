/**
 * A worksheet: each answer is checked when the student leaves the field. Without this script the page is a plain form
 * with a button "Check".
 *
 * Only the server knows the solutions. An answer that could not be sent is sent again when the connection returns, or
 * when the student leaves the field again.
 */

import { byId, csrfToken, formById, query } from "./dom.js";

/**
 * @typedef {object} Answer The server's answer, or only `error`, a sentence for the student.
 * @property {string} [state]
 * @property {boolean} [right]
 * @property {boolean} [shown]
 * @property {string} [hint]
 * @property {string} [how]
 * @property {string} [total]
 * @property {string} [error]
 * @property {boolean} [isOffline]
 */

const TIMEOUT_MS = 20_000;
const form = formById("worksheet");
/** @type {Map<string, Promise<void>>} */
const pending = new Map(); // by field: the last request, so that the last answer is saved last
/** @type {Set<string>} */
const unsent = new Set(); // fields whose answer did not reach the server

form.classList.add("scripted");
form.addEventListener("change", (event) => check(questionOf(/** @type {Element} */ (event.target))));
form.addEventListener("submit", handleSubmit);
window.addEventListener("online", () => {
  for (const name of unsent) check(byId(name));
});
window.addEventListener("beforeunload", (event) => {
  if (unsent.size) event.preventDefault();
});

// On a slow connection students may answer before this script runs: these fields send no further change event.
for (const input of form.querySelectorAll("input")) {
  if (!input.closest(".question")) continue;
  const wasChosen = input.type === "radio" && input.checked && !input.defaultChecked;
  const wasLeft = input !== document.activeElement && input.value !== input.defaultValue;
  if (wasChosen || wasLeft) check(questionOf(input));
}

/** @param {Element} element */
function questionOf(element) {
  return /** @type {HTMLElement} */ (element.closest(".question"));
}

/** @param {HTMLElement} question */
function inputOf(question) {
  return query(question, "input:checked, input:not([type=radio])", HTMLInputElement);
}

/**
 * Show a step, or, for the Enter key, leave the field and go to the next one.
 *
 * @param {SubmitEvent} event
 */
function handleSubmit(event) {
  event.preventDefault();
  const button = event.submitter;
  if (button?.classList.contains("show")) return void showStep(questionOf(button));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const next = focused && questionOf(focused)?.nextElementSibling?.querySelector("input");
  if (next) next.focus();
  else focused?.blur();
}

/** @param {HTMLElement} question */
function check(question) {
  const { name, value } = inputOf(question);
  return send(question, form.dataset.answer, { [name]: value });
}

/** @param {HTMLElement} question */
function showStep(question) {
  return send(question, form.dataset.show, { field: question.dataset.field ?? "" }, true);
}

/**
 * Send one request per field at a time, so that the page shows the answer to the last one.
 *
 * @param {HTMLElement} question
 * @param {string | undefined} address
 * @param {Record<string, string>} fields
 */
function send(question, address, fields, focusSolution = false) {
  const name = question.dataset.field ?? "";
  const request = (pending.get(name) ?? Promise.resolve()).then(async () => {
    const answer = await post(address ?? "", fields);
    if (pending.get(name) !== request && !answer.state) return; // a later request follows
    showAnswer(question, answer);
    if (focusSolution && answer.state) focusHow(question);
  });
  pending.set(name, request);
  return request;
}

/**
 * @param {string} address
 * @param {Record<string, string>} fields
 * @returns {Promise<Answer>}
 */
async function post(address, fields) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
      body: new URLSearchParams(fields),
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.json().catch(() => null);
    if (answer && (response.ok || answer.error)) return answer;
    if (response.type === "opaqueredirect" || response.status === 404 || response.status === 403) {
      return { error: "This worksheet or your seat is no longer open in this browser. Reload the page." };
    }
    return { error: `Your answer could not be checked (status ${response.status}). Change it to try again.` };
  } catch {
    return { error: "There is no connection. Your answer is checked when the connection returns.", isOffline: true };
  }
}

/**
 * @param {HTMLElement} question
 * @param {Answer} answer
 */
function showAnswer(question, answer) {
  if (answer.isOffline) unsent.add(question.dataset.field ?? "");
  else unsent.delete(question.dataset.field ?? "");
  if (answer.error) {
    question.dataset.state = "wrong";
    return void showFeedback(question, `⚠ Not checked. ${answer.error}`);
  }
  question.dataset.state = answer.state;
  showFeedback(question, describe(answer));
  const written = question.querySelector("input:not([type=radio])");
  if (answer.state === "wrong") written?.setAttribute("aria-invalid", "true");
  else written?.removeAttribute("aria-invalid");
  const how = query(question, ".how", HTMLElement);
  how.textContent = answer.how ?? "";
  how.hidden = !answer.how;
  query(question, ".show", HTMLElement).hidden = Boolean(answer.how);
  byId("total").textContent = answer.total ?? "";
}

/** @param {Answer} answer */
function describe({ right, shown, hint }) {
  if (right && shown) return "✓ Correct. No marks, because the step was shown.";
  if (right) return hint ? `✓ Correct. ${hint}` : "✓ Correct.";
  if (hint) return `✗ Not yet. ${hint}`;
  return shown ? "The step was shown: no marks." : "";
}

/**
 * @param {HTMLElement} question
 * @param {string} text
 */
function showFeedback(question, text) {
  query(question, ".feedback", HTMLElement).textContent = text;
}

/**
 * Focus the solution: the button that was pressed is hidden now.
 *
 * @param {HTMLElement} question
 */
function focusHow(question) {
  const how = query(question, ".how", HTMLElement);
  how.tabIndex = -1;
  how.focus({ preventScroll: true });
}
