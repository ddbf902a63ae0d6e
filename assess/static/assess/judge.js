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
import { connectControls } from "./judging/controls.js";
import { focusNext, refreshEnd } from "./judging/end.js";
import { hasText, JudgementForm } from "./judging/judgement-form.js";
import { MarginalQuestion } from "./judging/marginal-question.js";
import { groupNotice, overwriteMessage, RefusalMessages } from "./judging/messages.js";
import { Outbox } from "./judging/outbox.js";
import { focusDocument, focusDocumentOnClose, returnToDocument } from "./judging/panels.js";
import { Server } from "./judging/server.js";
import { SignIn } from "./judging/sign-in.js";
import * as status from "./judging/status.js";
import { openStore } from "./judging/store.js";
import { UndoHistory } from "./judging/undo-history.js";
import { VisibilityGuard } from "./judging/visibility-guard.js";
import { WorkDisplay } from "./judging/work-display.js";
import { Reader } from "./reading/reader.js";

/**
 * @typedef {import("./judging/types.js").Card} Card
 * @typedef {import("./judging/types.js").Entry} Entry
 * @typedef {import("./judging/types.js").Judgement} Judgement
 * @typedef {import("./judging/types.js").Receipt} Receipt
 * @typedef {import("./judging/types.js").Refusal} Refusal
 * @typedef {import("./judging/types.js").Wait} Wait
 */

const NO_TEXT = "This document has no text, so it cannot be graded. Choose “Later” or “Cannot judge”.";

/** @type {import("./judging/types.js").PageData} */
const pageData = JSON.parse(byId("script-data").textContent ?? "");
const undoButton = query(document, "#undo-button", HTMLButtonElement);

const reviewed = pageData.back ? pageData.cards[0]?.task : ""; // the document to judge again before going back
const history = new UndoHistory(pageData.last);
let previousJudgement = pageData.before; // the last judgement before this topic's, in another topic
let failure = ""; // why the server refused the last judgement, until the next one
let trouble = ""; // why nothing could be sent at the last change
let input = "pointer"; // the last input device used: "key" or "pointer"

const server = new Server({ user: pageData.user, signInAddress: pageData.addresses.signIn });
const store = await openStore();
const outbox = new Outbox({ store, server, user: pageData.user, onReceipt, onRefusal, onChange });
const work = new WorkDisplay({ pageData, outbox, onTopic });
const cards = new Cards({
  ...pageData,
  isAlone: Boolean(pageData.back),
  isOfPage,
  server,
  outbox,
  onArrival,
  onListed,
  listedTopics: () => question.topics,
  onWait,
});
const form = new JudgementForm(formById("judgement"));
const question = new MarginalQuestion({
  listed: pageData.marginal,
  topic: pageData.topic,
  lowest: Math.min(...pageData.grades),
  minVisibleMs: pageData.minVisibleMs,
  keysOn: pageData.preferences.keysOn,
  notice: status.notice,
  find: (topic, words) => cards.findRelevant(topic, words),
});
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

/** @param {string} topic */
function isOfPage(topic) {
  return work.progress.knows(topic);
}

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
  question.close();
  form.show(card);
  showUndo();
  if (!card) {
    guard.show(null);
    showCounts();
    work.panel.close();
    focusNext();
    return void reader.clear();
  }
  timer.start(card.spent);
  const change = work.change(card, cards.nextAddress(card.topic?.pk ?? cards.topic));
  showCounts();
  const last = lastWords();
  const name = card.title || card.doc_id || "untitled";
  status.announce(`${last && `Last: ${last}. `}${change && `${change} `}Next document: ${name}`);
  await guard.show(card, () => reader.show(card), input === "pointer");
}

/**
 * @param {number} topic
 * @param {string} title
 */
function onTopic(topic, title) {
  cards.topic = topic;
  reader.setQuery(title);
  document.title = title;
  window.history.replaceState(null, "", cards.pageAddress(topic));
}

const showCounts = () => work.showCounts(cards.nextAddress(cards.topic), cards.list.length);

const lastWords = () => (history.last ? form.describe(history.last) : "");

function showFullText() {
  if (cards.current && !byId("doc-full").hidden) guard.show(cards.current, () => reader.showFull());
}

/** Load a text that failed to load, now that the server can be reached again. */
function retryText() {
  if (!byId("doc-failed").hidden) byId("doc-retry").click();
}

function showUndo() {
  undoButton.disabled = history.isEmpty;
  byId("redo").hidden = !history.redoable(cards.current);
  status.showLast(lastWords(), pageData.preferences.keysOn ? pageData.preferences.keys.undo : "");
  status.linkPreviousJudgement(history.isEmpty ? previousJudgement : null);
}

/** The first cards have arrived on an empty page, or the end of the topic is known: show it when it is up to date. */
async function onArrival() {
  if (cards.isExhausted) await refreshEnd(cards.pageAddress(cards.topic));
  show();
}

/** @param {Record<string, import("./judging/types.js").RelevantDocuments>} listed */
function onListed(listed) {
  question.receive(listed);
}

/** @param {Wait | ""} wait why no more documents could be fetched */
function onWait(wait) {
  work.setCannotLoad(wait);
  if (wait) askForPassword(wait);
  showCounts();
}

// ---- judging

/** @param {Judgement} decision */
function judge(decision) {
  const card = cards.current;
  if (!card) return;
  if (decision.state === "judged" && !hasText(card)) return status.notice(NO_TEXT);
  // A document whose text cannot be loaded can still be postponed or marked as "cannot judge".
  const hasNoText = !byId("doc-failed").hidden && decision.state !== "judged";
  if (card !== guard.judgeable && !hasNoText) return status.refuseEarly();
  const judgement = { relevance: null, reason: "", ...form.read(), passages: reader.passages, ...decision };
  if (judgement.state !== "judged") judgement.confidence = null;
  const missing = form.missingInput(judgement, pageData);
  if (missing) return status.notice(missing);
  if (question.ask(card, judgement, (answer) => judge({ ...decision, ...answer }))) return;
  const time = timer.read();
  const judged = { ...card, ...judgement, spent: undefined, hasDraft: undefined };
  cards.drop(card.task);
  if (judgement.state === "later" && card.returned) cards.setAside(card.task);
  history.add(judged);
  question.add(judged);
  if (judgement.state !== "later") work.pace.add(time.active);
  const measured = { active_ms: time.active, away_ms: time.away, highlights: reader.highlightsOn };
  enqueue(judged, { ...judgement, ...measured }, card.state);
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
  question.remove(card.task);
  const { state } = card;
  cards.putFirst({ ...card, state: "undone", returned: false, replaced: false });
  enqueue(cards.list[0], { state: "undone" }, state);
  status.notice("");
  if (state === "judged" || state === "cannot_judge") countJudged(pageData.user, -1);
  returnToDocument();
  show();
}

/** Judge the document again as before undo. */
function redo() {
  const undone = history.redoable(cards.current);
  if (!undone) return status.notice("There is nothing to redo.");
  const { state, relevance, reason, marginal, repeats } = undone;
  judge({ state, relevance, reason, ...(marginal ? { marginal, repeats } : {}) });
}

/** The page knows no judgement of this topic to undo: the server may still name one. */
function undoFurther() {
  if (outbox.waiting.some(({ topic, fields }) => isOfPage(topic) && fields.state === "undone")) {
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
 * @param {string} stateBefore
 */
function enqueue(card, judgement, stateBefore) {
  failure = "";
  // An address with ?task= would show this document first again after a reload.
  if (location.search) window.history.replaceState(null, "", location.pathname);
  const fields = {
    client_id: newId(),
    member: pageData.member,
    seen_version: card.version,
    ...(card.suggestion ? { suggestion: card.suggestion.token } : {}),
    guidelines_version: pageData.guidelinesVersion,
    input,
    ...judgement,
  };
  card.version += 1;
  const address = cards.recordAddress(card.task);
  const topic = cards.nextAddress(card.topic?.pk ?? pageData.topic);
  outbox.add({ address, topic, task: card.task, card: { ...card, stateBefore }, fields });
}

/**
 * Apply the judgements that an earlier page left in the outbox to this page's cards.
 *
 * @param {Entry[]} entries
 */
function replay(entries) {
  for (const { topic, task, card, fields } of entries) {
    if (!isOfPage(topic)) continue;
    history.remove(task);
    question.remove(task);
    if (fields.state === "undone") cards.putFirst(card);
    else {
      question.add(card);
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
  if (!isOfPage(entry.topic)) return;
  const isLast = !outbox.waiting.some(({ task }) => task === entry.task);
  if (entry.task === reviewed && isLast && receipt.state !== "undone") return void location.assign(pageData.back);
  work.progress.receive(entry.topic, receipt.topic, entry);
  // A near-duplicate that was judged here before this answer arrived keeps its own judgement.
  const byGroup = (receipt.by_group ?? []).filter((task) => !outbox.waiting.some((other) => other.task === task));
  if (isFromOtherTab) judgedInOtherTab(entry.task, receipt.state);
  else if (byGroup.length) status.notice(groupNotice({ ...receipt, by_group: byGroup }));
  for (const task of byGroup) judgedByGroup(task);
  previousJudgement = receipt.before ?? previousJudgement;
  const nothingLeft = history.isEmpty && !outbox.holds(isOfPage);
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
 * Drop a near-duplicate that was judged together with another document, unless it is the current document here.
 *
 * @param {string} task
 */
function judgedByGroup(task) {
  shiftVersion(task, 1);
  history.remove(task);
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
  question.remove(entry.task);
  const isThisTopic = isOfPage(entry.topic);
  if (refusal.topic && isThisTopic) work.progress.receive(entry.topic, refusal.topic);
  const canJudgeAgain = isThisTopic && entry.fields.state !== "undone" && !refusal.drop;
  if (!canJudgeAgain || outbox.waiting.some(({ task }) => task === entry.task)) {
    showUndo();
    if (refusal.drop && isThisTopic) cards.dropRefused(entry.task);
    return refusals.show(entry.card, refusal);
  }
  keepDraft();
  failure = refusal.error;
  const { card, fields } = entry;
  const earlier = { version: fields.seen_version, state: card.stateBefore ?? "", hasDraft: Boolean(card.comment) };
  cards.putFirst({ ...card, ...earlier });
  show();
}

function onChange() {
  status.showSaveState({ failure, count: outbox.waiting.length, trouble: outbox.trouble });
  showCounts();
  if (outbox.trouble) askForPassword(outbox.trouble);
  else if (trouble) retryText();
  trouble = outbox.trouble;
  if (!outbox.holds(isOfPage)) cards.refill();
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

const keys = connectControls({ pageData, form, reader, panel: work.panel, judge, undo, redo, showFullText });

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
for (const name of ["online", "offline"]) window.addEventListener(name, showCounts);
window.addEventListener("online", () => cards.refill());
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
focusNext();
cards.fetchAhead();
outbox.send();
