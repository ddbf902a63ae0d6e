/**
 * The judging page: one key judges the current document, shows the next one, and saves in the background.
 *
 * A key judges only a document that has been visible for `minVisibleMs`; an earlier key is refused with a notice.
 * Judgements wait in the browser's database until the server has saved them. Without this script, the same buttons are
 * a plain form.
 */

import { byId, formById, query } from "./dom.js";
import { ActivityTimer, watchActivity } from "./judging/activity-timer.js";
import { countJudged } from "./judging/break-reminder.js";
import { Cards } from "./judging/cards.js";
import { ClaimKeeper } from "./judging/claim-keeper.js";
import { newId } from "./judging/client-id.js";
import { refuseDoubleClick } from "./judging/double-click.js";
import { JudgementForm, judgementFromButton } from "./judging/judgement-form.js";
import { Keys } from "./judging/keys.js";
import { overwriteMessage, RefusalMessages } from "./judging/messages.js";
import { Outbox } from "./judging/outbox.js";
import { closePanels, focusDocument, focusDocumentOnClose, returnToDocument, togglePanel } from "./judging/panels.js";
import { Server } from "./judging/server.js";
import { SignIn } from "./judging/sign-in.js";
import * as status from "./judging/status.js";
import { openStore } from "./judging/store.js";
import { UndoHistory } from "./judging/undo-history.js";
import { VisibilityGuard } from "./judging/visibility-guard.js";
import { Reader } from "./reading/reader.js";

/**
 * @typedef {import("./judging/types.js").Card} Card
 * @typedef {import("./judging/types.js").Entry} Entry
 * @typedef {import("./judging/types.js").Judgement} Judgement
 * @typedef {import("./judging/types.js").Receipt} Receipt
 * @typedef {import("./judging/types.js").Refusal} Refusal
 */

/** @type {import("./judging/types.js").PageData} */
const pageData = JSON.parse(byId("script-data").textContent ?? "");
const topicAddress = pageData.addresses.next; // identifies the topic of an outbox entry
const undoButton = query(byId("undo"), "button", HTMLButtonElement);

const history = new UndoHistory(pageData.last);
let previousJudgement = pageData.before; // the last judgement before this topic's, in another topic
let failure = ""; // why the server refused the last judgement, until the next one
let trouble = ""; // why nothing could be sent at the last change
let input = "pointer"; // the last input device used: "key" or "pointer"

const server = new Server({ user: pageData.user, signInAddress: pageData.addresses.signIn });
const store = await openStore();
const outbox = new Outbox({ store, server, user: pageData.user, onReceipt, onRefusal, onChange });
const cards = new Cards({ ...pageData, server, outbox, onArrival, onWait: askForPassword });
const form = new JudgementForm(formById("judgement"));
const refusals = new RefusalMessages();
const guard = new VisibilityGuard(byId("document"), pageData.minVisibleMs);
const timer = new ActivityTimer();
const claims = new ClaimKeeper({
  minutes: pageData.claimMinutes,
  renew: (mayHaveExpired) => (mayHaveExpired ? cards.fetchAgain() : cards.fetchMore()),
});
const signIn = new SignIn({ form: formById("sign-in"), name: pageData.userName, server, onDone: resume });
const reader = new Reader({
  query: pageData.query,
  highlightsOn: pageData.preferences.highlightsOn,
  fetchText: (card) => cards.fetchText(card),
  onKey: keyPressed,
  onActivity: recordActivity,
  onFull: showFullText,
});

function recordActivity() {
  timer.touch();
  claims.touch();
}

// ---- the current document

async function show() {
  const card = cards.current;
  if (document.activeElement?.tagName === "IFRAME") focusDocument(); // the frame is removed, and key events with it
  byId("card").hidden = !card;
  byId("finished").hidden = Boolean(card) || !cards.isExhausted;
  byId("waiting").hidden = Boolean(card) || cards.isExhausted;
  form.show(card);
  showUndo();
  if (!card) {
    guard.show(null);
    return void reader.clear();
  }
  timer.start(card.spent);
  status.announce(`Next document: ${card.title || card.doc_id || "untitled"}`);
  await guard.show(card, () => reader.show(card), input === "pointer");
}

function showFullText() {
  if (cards.current && !byId("doc-full").hidden) guard.show(cards.current, () => reader.showFull());
}

/** Load a text that failed to load, now that the server can be reached again. */
function retryText() {
  if (!byId("doc-failed").hidden) byId("doc-retry").click();
}

function showUndo() {
  undoButton.disabled = history.isEmpty;
  status.linkPreviousJudgement(history.isEmpty ? previousJudgement : null);
}

/** The first cards have arrived on an empty page, or the end of the topic is known. */
function onArrival() {
  if (cards.isExhausted) status.refreshEnd();
  show();
}

// ---- judging

/** @param {Judgement} decision */
function judge(decision) {
  const card = cards.current;
  if (!card) return;
  // A document whose text cannot be loaded can still be postponed or marked as "cannot judge".
  const hasNoText = !byId("doc-failed").hidden && decision.state !== "judged";
  if (card !== guard.judgeable && !hasNoText) return status.refuseEarly();
  const judgement = { relevance: null, reason: "", ...form.read(), passages: reader.passages, ...decision };
  if (judgement.state !== "judged") judgement.confidence = null;
  const missing = form.missingInput(judgement, pageData);
  if (missing) return status.notice(missing);
  const time = timer.read();
  const judged = { ...card, ...judgement, spent: undefined, hasDraft: undefined };
  cards.drop(card.task);
  history.add(judged);
  const measured = { active_ms: time.active, away_ms: time.away, highlights: reader.highlightsOn };
  enqueue(judged, { ...judgement, ...measured });
  status.notice(judgement.state === "later" ? "" : countJudged(pageData.user, +1));
  returnToDocument();
  show();
  cards.fetchAhead();
  cards.refill();
}

function undo() {
  const card = history.pop();
  if (!card) return undoFurther();
  keepDraft();
  cards.putFirst(card);
  enqueue(card, { state: "undone" });
  status.notice("");
  if (card.state === "judged" || card.state === "cannot_judge") countJudged(pageData.user, -1);
  returnToDocument();
  show();
}

/** The page knows no judgement of this topic to undo: the server may still name one. */
function undoFurther() {
  if (outbox.waiting.some(({ topic, fields }) => topic === topicAddress && fields.state === "undone")) {
    history.addPendingUndo();
  } else if (previousJudgement) {
    status.notice("There is nothing more to undo in this topic. Press Enter to go to your previous judgement.");
    byId("undo-elsewhere").focus();
  }
}

/** Store unsaved input with the current document, so that it is there when the document is shown again. */
function keepDraft() {
  const card = cards.current;
  if (!card) return;
  const hasDraft = card.hasDraft || form.hasDraft;
  Object.assign(card, form.read(), { passages: reader.passages, spent: timer.read(), hasDraft });
}

/**
 * Add a judgement to the outbox. The entry contains everything needed to send it from any page, and the card that undo
 * needs after a reload.
 *
 * @param {Card} card
 * @param {Judgement} judgement
 */
function enqueue(card, judgement) {
  failure = "";
  // An address with ?task= would show this document first again after a reload.
  if (location.search) window.history.replaceState(null, "", location.pathname);
  const fields = {
    client_id: newId(),
    member: pageData.member,
    seen_version: card.version,
    guidelines_version: pageData.guidelinesVersion,
    input,
    ...judgement,
  };
  card.version += 1;
  const address = cards.recordAddress(card.task);
  outbox.add({ address, topic: topicAddress, task: card.task, card: { ...card }, fields });
}

/**
 * Apply the judgements that an earlier page left in the outbox to this page's cards.
 *
 * @param {Entry[]} entries
 */
function replay(entries) {
  for (const { topic, task, card, fields } of entries) {
    if (topic !== topicAddress) continue;
    history.remove(task);
    if (fields.state === "undone") cards.putFirst(card);
    else {
      cards.drop(task);
      history.add(card);
    }
  }
}

// ---- answers of the server

/**
 * @param {Entry} entry
 * @param {Receipt} receipt
 * @param {boolean} isFromOtherTab
 */
function onReceipt(entry, receipt, isFromOtherTab) {
  signIn.show("", 0);
  shiftVersion(entry.task, receipt.version - entry.fields.seen_version - 1);
  const message = overwriteMessage(entry.card, receipt);
  if (message) status.showMessage(message);
  if (entry.topic !== topicAddress) return;
  status.showProgress(receipt.topic, pageData.progress);
  if (isFromOtherTab) judgedInOtherTab(entry.task, receipt.state);
  previousJudgement = receipt.before ?? previousJudgement;
  const nothingLeft = history.isEmpty && !outbox.waiting.some(({ topic }) => topic === topicAddress);
  if (receipt.state === "undone" && nothingLeft && history.addFromServer(receipt.last)) return undo();
  showUndo();
}

/**
 * Drop a document that was judged in another tab, unless it is the current document here.
 *
 * @param {string} task
 * @param {string} state
 */
function judgedInOtherTab(task, state) {
  if (state === "undone") history.remove(task);
  if (task === cards.current?.task) return;
  cards.drop(task);
  cards.refill();
}

/**
 * @param {string} task
 * @param {number} by
 */
function shiftVersion(task, by) {
  for (const card of [...history, ...cards.list]) if (card.task === task) card.version += by;
}

/**
 * Show a refused judgement's document again, unless nobody may judge it any more or it has been judged again since.
 *
 * @param {Entry} entry
 * @param {Refusal} refusal
 */
function onRefusal(entry, refusal) {
  history.remove(entry.task);
  const isThisTopic = entry.topic === topicAddress;
  if (refusal.topic && isThisTopic) status.showProgress(refusal.topic, pageData.progress);
  const canJudgeAgain = isThisTopic && entry.fields.state !== "undone" && !refusal.drop;
  if (!canJudgeAgain || outbox.waiting.some(({ task }) => task === entry.task)) {
    showUndo();
    if (refusal.drop && isThisTopic) cards.dropRefused(entry.task);
    return refusals.show(entry.card, refusal);
  }
  keepDraft();
  failure = refusal.error;
  cards.putFirst({ ...entry.card, version: entry.fields.seen_version, hasDraft: Boolean(entry.card.comment) });
  show();
}

function onChange() {
  status.showSaveState({ failure, count: outbox.waiting.length, trouble: outbox.trouble });
  if (outbox.trouble) askForPassword(outbox.trouble);
  else if (trouble) retryText();
  trouble = outbox.trouble;
  if (!outbox.holds(topicAddress)) cards.refill();
}

/** @param {string} reason */
function askForPassword(reason) {
  signIn.show(reason, outbox.waiting.length);
}

/** Continue after signing in on the page. */
function resume() {
  focusDocument();
  outbox.send();
  cards.refill();
  retryText();
}

window.addEventListener("beforeunload", (event) => {
  keepDraft();
  if (!outbox.isSafe || cards.list.some(({ hasDraft }) => hasDraft)) event.preventDefault();
});

// ---- buttons and keys

form.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (button instanceof HTMLButtonElement && button.name) judge(judgementFromButton(button));
});
refuseDoubleClick(form.form, () => status.refuseEarly("A double click judges only one document."));
byId("undo").addEventListener("submit", (event) => {
  event.preventDefault();
  undo();
});

// The names are those of the assessor's key settings.
const actions = {
  undo,
  later: () => judge({ state: "later" }),
  cannot: () => form.openReasons(),
  comment: () => form.openComment(),
  confidence: () => pageData.askConfidence && cards.current && status.notice(`Confidence: ${form.nextConfidence()}`),
  mark: () => pageData.passages !== "off" && status.notice(reader.toggleMark()),
  highlights: () => reader.toggleHighlights(),
  next_highlight: () => reader.nextHighlight(),
  previous_highlight: () => reader.nextHighlight(true),
  find: () => reader.openFind(),
  full_text: showFullText,
  guidelines: () => togglePanel("guidelines"),
  legend: () => togglePanel("legend"),
};
const keys = new Keys({
  enabled: pageData.preferences.keysOn,
  actions,
  keys: pageData.preferences.keys,
  grades: { ...Object.fromEntries(pageData.grades.map((grade) => [String(grade), grade])), ...pageData.letters },
  judge: (relevance) => judge({ state: "judged", relevance }),
  onEscape: () => (reader.isFinding ? reader.closeFind() : closePanels()),
});

/** @param {KeyboardEvent} event */
function keyPressed(event) {
  input = "key";
  recordActivity();
  keys.handle(event);
}

const usePointer = () => {
  input = "pointer";
};

document.addEventListener("keydown", keyPressed);
document.addEventListener("pointerdown", usePointer, { capture: true });
document.addEventListener("visibilitychange", () => document.hidden || retryText());
focusDocumentOnClose(() => input === "key");
watchActivity(timer, recordActivity);

if (!store.isDurable) {
  status.showMessage(
    "This browser cannot store judgements. Judgements that are not sent yet are lost when you close the page.",
  );
}
replay(await outbox.load());
onChange();
show();
returnToDocument();
cards.fetchAhead();
outbox.send();
