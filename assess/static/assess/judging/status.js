/** Writes progress, save state, notices and messages on the judging page. */

import { byId } from "../dom.js";

/**
 * @typedef {import("./types.js").Progress} Progress
 * @typedef {import("./types.js").PreviousJudgement} PreviousJudgement
 */

/** @type {Record<string, string>} */
const CAUSES = {
  offline: "no connection",
  trouble: "the server has a problem",
  "signed-out": "you are signed out",
  "somebody-else": "another user is signed in",
};

/**
 * Show a short notice until the next judgement.
 *
 * @param {string} text
 */
export function notice(text) {
  byId("notice").textContent = text;
}

/**
 * Announce a change to screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  byId("announce").textContent = text;
}

/**
 * Show a message until the user dismisses it. It replaces `existing` if that message is still on the page.
 *
 * @param {string} text
 * @param {HTMLElement} [existing]
 * @returns {HTMLElement} the message's element
 */
export function showMessage(text, existing) {
  if (existing?.isConnected && existing.firstChild) {
    existing.firstChild.nodeValue = `${text} `;
    return existing;
  }
  const messages = byId("messages");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "link", textContent: "Dismiss" });
  const item = document.createElement("p");
  item.append(`${text} `, button);
  button.addEventListener("click", () => {
    item.remove();
    messages.hidden = messages.childElementCount === 0;
    byId("document").focus();
  });
  messages.hidden = false;
  messages.append(item);
  return item;
}

/**
 * @param {object} state
 * @param {string} state.failure why the server refused the last judgement
 * @param {number} state.count judgements that wait
 * @param {string} state.trouble why they cannot be sent now
 */
export function showSaveState({ failure, count, trouble }) {
  if (failure) setSaveState("failed", `Not saved: ${failure}`);
  else if (!count) setSaveState("saved", "✓ All saved");
  else if (trouble === "closed") setSaveState("waiting", `Judging is closed: ${count} not sent yet`);
  else if (trouble === "paused") setSaveState("waiting", `Judging is paused: ${count} not sent yet`);
  else if (trouble) setSaveState("waiting", `Waiting: ${count} not sent yet, ${CAUSES[trouble]}`);
  else setSaveState("saving", `Saving ${count} …`);
}

/**
 * @param {string} state
 * @param {string} text
 */
function setSaveState(state, text) {
  const save = byId("save");
  save.dataset.state = state;
  if (save.textContent !== text) save.textContent = text; // a live region: announce each text once
}

/**
 * @param {Progress} topic the topic's progress now
 * @param {{topic: Progress, all: Progress}} initial the progress when this page was loaded
 */
export function showProgress(topic, initial) {
  const all = { ...initial.all };
  for (const name of /** @type {(keyof Progress)[]} */ (Object.keys(topic))) {
    all[name] += topic[name] - initial.topic[name];
  }
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  bar.max = topic.total + topic.to_claim;
  bar.value = topic.done;
  byId("progress-topic").textContent = `${formatProgress(topic)} in this topic, ${topic.later} postponed`;
  byId("progress-all").textContent = `${formatProgress(all)} in total`;
}

/**
 * While documents can be claimed, nobody knows how many of them the assessor will get: show no total.
 *
 * @param {Progress} progress
 */
function formatProgress({ done, left, total, to_claim: toClaim }) {
  return toClaim ? `${done} judged, ${left + toClaim} to go` : `${done} of ${total}`;
}

/**
 * Show a link to the last judgement in another topic, or hide it.
 *
 * @param {PreviousJudgement | null} previous
 */
export function linkPreviousJudgement(previous) {
  const link = /** @type {HTMLAnchorElement} */ (byId("undo-elsewhere"));
  link.hidden = !previous;
  if (!previous) return;
  link.href = previous.address;
  link.textContent = `Go to your previous judgement, in topic “${previous.title}”`;
}

/** Flash the document: it was judged too early, or by the second half of a double click. */
export function refuseEarly(text = "Too early: this document had only just appeared. Nothing was judged.") {
  notice(text);
  const article = byId("document");
  article.classList.remove("early");
  void article.offsetWidth; // forces a layout, so that the same animation starts again
  article.classList.add("early");
}

/** Resolve after the next paint: the second animation frame runs after the first one was painted. */
export function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Replace the end of the topic by the server's current version, which may ask for feedback. */
export async function refreshEnd() {
  try {
    const response = await fetch(location.pathname, { headers: { Accept: "text/html" }, redirect: "error" });
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("finished");
    if (parsed && !parsed.hidden) replaceEnd(byId("finished"), parsed);
  } catch {
    // The existing text is still correct.
  }
}

/**
 * Keep a feedback form that is already on the page, with its text and focus. It only needs the new form's token,
 * because the user may have signed in again.
 *
 * @param {HTMLElement} end
 * @param {HTMLElement} fresh
 */
function replaceEnd(end, fresh) {
  const [form, freshForm] = [end, fresh].map((one) => one.querySelector(":scope > form.topic-feedback"));
  if (!form || !freshForm) return end.replaceChildren(...fresh.childNodes);
  const [token, freshToken] = [form, freshForm].map((one) => one.querySelector("[name=csrfmiddlewaretoken]"));
  if (token instanceof HTMLInputElement && freshToken instanceof HTMLInputElement) token.value = freshToken.value;
  for (const old of [...end.childNodes]) if (old !== form) old.remove();
  const nodes = [...fresh.childNodes];
  form.before(...nodes.slice(0, nodes.indexOf(freshForm)));
  form.after(...nodes.slice(nodes.indexOf(freshForm) + 1));
}
