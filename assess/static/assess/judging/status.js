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

/** @type {Record<string, string>} */
const ENDINGS = {
  offline: "the connection returns",
  trouble: "the server works again",
  "signed-out": "you sign in",
  "somebody-else": "you sign in",
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
 * Say what can still be judged while nothing can be loaded.
 *
 * @param {string} cause
 * @param {number} count documents that are loaded
 */
export function showLoaded(cause, count) {
  const until = ENDINGS[cause];
  const loaded = count === 1 ? "1 document is loaded." : `${count} documents are loaded.`;
  const text = until ? `${loaded} No more will come until ${until}.` : "";
  if (byId("offline").textContent !== text) byId("offline").textContent = text;
  byId("waiting").textContent = until
    ? `You have judged all loaded documents. No more will come until ${until}.`
    : "Loading the next document …";
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

/** @param {{topic: Progress, all: Progress}} progress */
export function showProgress({ topic, all }) {
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

/**
 * Show the last judgement, and how to undo it.
 *
 * @param {string} words such as "2 Relevant", or "" without a judgement
 * @param {string} key that undoes, or ""
 */
export function showLast(words, key) {
  const hint = document.createElement("span");
  hint.className = "only-wide"; // phones have no keys
  hint.textContent = words && key ? `, ${key} undoes` : "";
  byId("last").replaceChildren(words && `Last: ${words}`, hint);
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
