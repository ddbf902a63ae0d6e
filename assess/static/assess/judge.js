/**
 * The judging page: one key judges the document on the screen, shows the next one, and saves in the background.
 *
 * A key judges only what has been painted for `paintedMs`; an earlier one is refused, visibly. What was said waits in
 * the browser's own database until the server has it. Without this script the same buttons are a plain form.
 */

import { Cards } from "./judging/cards.js";
import { newId } from "./judging/client-id.js";
import { refuseDouble } from "./judging/double.js";
import { History } from "./judging/history.js";
import { Holding } from "./judging/holding.js";
import { Keys } from "./judging/keys.js";
import { Outbox } from "./judging/outbox.js";
import { backToDocument, closeAll, focusDocument, giveKeysBack, toggle } from "./judging/panels.js";
import { countJudged } from "./judging/pause.js";
import * as screen from "./judging/screen.js";
import { Server } from "./judging/server.js";
import { Sight } from "./judging/sight.js";
import { SignIn } from "./judging/sign-in.js";
import { Stopwatch, watch } from "./judging/stopwatch.js";
import { openStore } from "./judging/store.js";
import { overwritten, Refusals } from "./judging/told.js";
import { sayingOf, Verdict } from "./judging/verdict.js";
import { Reader } from "./reading/reader.js";

const data = JSON.parse(document.getElementById("script-data").textContent);
const find = (id) => document.getElementById(id);
const here = data.addresses.next; // which topic an entry of the queue belongs to
const undoButton = find("undo").querySelector("button");

const history = new History(data.last);
let before = data.before; // the last one before this topic, in another
let failure = ""; // why the server refused the last saying, until the next one
let trouble = ""; // why nothing could be sent a moment ago
let input = "pointer"; // by what the page was touched last

const server = new Server({ user: data.user, signInAddress: data.addresses.signIn });
const store = await openStore();
const outbox = new Outbox({ store, server, user: data.user, onReceipt, onRefusal, onChange });
const cards = new Cards({ ...data, server, outbox, onArrival, onWait: askForPassword });
const verdict = new Verdict(find("judgement"));
const refusals = new Refusals();
const sight = new Sight(find("document"), data.paintedMs);
const stopwatch = new Stopwatch();
const holding = new Holding({
  minutes: data.claimMinutes,
  renew: (haveLapsed) => (haveLapsed ? cards.askAnew() : cards.renew()),
});
const signIn = new SignIn({ form: find("sign-in"), name: data.userName, server, onDone: goOn });
const reader = new Reader({
  query: data.query,
  highlightsOn: data.preferences.highlightsOn,
  fetchText: (card) => cards.fetchText(card),
  onKey: keyPressed,
  onActivity: alive,
  onFull: showFull,
});

function alive() {
  stopwatch.touch();
  holding.touch();
}

// ---- the document on the screen

async function show() {
  const card = cards.current;
  if (document.activeElement?.tagName === "IFRAME") focusDocument(); // the frame goes, and the keys with it
  find("card").hidden = !card;
  find("finished").hidden = Boolean(card) || !cards.isExhausted;
  find("waiting").hidden = Boolean(card) || cards.isExhausted;
  verdict.show(card);
  showUndo();
  if (!card) {
    sight.bringUp(null);
    return void reader.clear();
  }
  stopwatch.start(card.spent);
  screen.announce(`Next document: ${card.title || card.doc_id || "without a title"}`);
  await sight.bringUp(card, () => reader.show(card), input === "pointer");
}

function showFull() {
  if (cards.current && !find("doc-full").hidden) sight.bringUp(cards.current, () => reader.showFull());
}

/** A text that could not be had comes by itself as soon as the server can be talked to again. */
function retryText() {
  if (!find("doc-failed").hidden) find("doc-again").click();
}

function showUndo() {
  undoButton.disabled = history.isEmpty;
  screen.undoElsewhere(history.isEmpty ? before : null);
}

/** The first cards after there were none, or the end of the topic. */
function onArrival() {
  if (cards.isExhausted) screen.refreshEnd();
  show();
}

// ---- what the assessor says

function say(saying) {
  const card = cards.current;
  if (!card) return;
  const hasNoText = !find("doc-failed").hidden && saying.state !== "judged"; // it can still be put off, or called broken
  if (card !== sight.judgeable && !hasNoText) return screen.refuseEarly();
  const told = { relevance: null, reason: "", ...verdict.read(), passages: reader.passages, ...saying };
  if (told.state !== "judged") told.confidence = null;
  const wanted = verdict.wanted(told, data);
  if (wanted) return screen.notice(wanted);
  const time = stopwatch.read();
  const said = { ...card, ...told, spent: undefined, isUnsaid: undefined };
  cards.drop(card.task);
  history.add(said);
  enqueue(said, { ...told, active_ms: time.active, away_ms: time.away, highlights: reader.highlightsOn });
  screen.notice(told.state === "later" ? "" : countJudged(data.user, +1));
  backToDocument();
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
  screen.notice("");
  if (card.state === "judged" || card.state === "cannot_judge") countJudged(data.user, -1);
  backToDocument();
  show();
}

/** Nothing of this topic is left to take back, or the server has not told yet what is. */
function undoFurther() {
  if (outbox.waiting.some(({ topic, fields }) => topic === here && fields.state === "undone")) history.wish();
  else if (before) {
    screen.notice("Nothing more to undo in this topic; Enter goes to the last one before, in another.");
    find("before").focus();
  }
}

/** What was begun on the document on the screen belongs to it, wherever one goes. */
function keepDraft() {
  const card = cards.current;
  if (!card) return;
  const isUnsaid = card.isUnsaid || verdict.hasUnsaidComment;
  Object.assign(card, verdict.read(), { passages: reader.passages, spent: stopwatch.read(), isUnsaid });
}

/** The queue's entry holds all that sending needs, from whatever page, and the card for undo after a reload. */
function enqueue(card, saying) {
  failure = "";
  // An address with ?task= would bring this document first again.
  if (location.search) window.history.replaceState(null, "", location.pathname);
  const fields = {
    client_id: newId(),
    member: data.member,
    seen_version: card.version,
    guidelines_version: data.guidelinesVersion,
    input,
    ...saying,
  };
  card.version += 1;
  const address = cards.recordAddress(card.task);
  outbox.add({ address, topic: here, task: card.task, card: { ...card }, fields });
}

/** Sayings that an earlier page left in the queue: their documents are not shown as if nothing had been said. */
function replay(entries) {
  for (const { topic, task, card, fields } of entries) {
    if (topic !== here) continue;
    history.remove(task);
    if (fields.state === "undone") cards.putFirst(card);
    else {
      cards.drop(task);
      history.add(card);
    }
  }
}

// ---- what the server answers

function onReceipt(entry, receipt, isNews) {
  signIn.show("", 0);
  moveVersion(entry.task, receipt.version - entry.fields.seen_version - 1);
  const sentence = overwritten(entry.card, receipt);
  if (sentence) screen.tell(sentence);
  if (entry.topic !== here) return;
  screen.progress(receipt.topic, data.progress);
  if (isNews) saidElsewhere(entry.task, receipt.state);
  before = receipt.before ?? before;
  const isAtItsEnd = history.isEmpty && !outbox.waiting.some(({ topic }) => topic === here);
  if (receipt.state === "undone" && isAtItsEnd && history.hear(receipt.last)) return undo();
  showUndo();
}

/** Said in another tab: it need not be said here too, unless it is being read just now. */
function saidElsewhere(task, state) {
  if (state === "undone") history.remove(task);
  if (task === cards.current?.task) return;
  cards.drop(task);
  cards.refill();
}

function moveVersion(task, by) {
  for (const card of [...history, ...cards.list]) if (card.task === task) card.version += by;
}

/** A refused saying is none: its document comes back, unless nobody is to judge it any more or it was said of again. */
function onRefusal(entry, refusal) {
  history.remove(entry.task);
  if (refusal.topic && entry.topic === here) screen.progress(refusal.topic, data.progress);
  const isForThisPage = entry.topic === here && entry.fields.state !== "undone" && !refusal.drop;
  if (!isForThisPage || outbox.waiting.some(({ task }) => task === entry.task)) {
    showUndo();
    if (refusal.drop && entry.topic === here) cards.lose(entry.task);
    return refusals.tell(entry.card, refusal);
  }
  keepDraft();
  failure = refusal.error;
  cards.putFirst({ ...entry.card, version: entry.fields.seen_version, isUnsaid: Boolean(entry.card.comment) });
  show();
}

function onChange() {
  screen.saveState({ failure, count: outbox.waiting.length, trouble: outbox.trouble });
  if (outbox.trouble) askForPassword(outbox.trouble);
  else if (trouble) retryText();
  trouble = outbox.trouble;
  if (!outbox.holds(here)) cards.refill();
}

function askForPassword(why) {
  signIn.show(why, outbox.waiting.length);
}

function goOn() {
  focusDocument();
  outbox.send();
  cards.refill();
  retryText();
}

window.addEventListener("beforeunload", (event) => {
  keepDraft();
  if (!outbox.isKept || cards.list.some(({ isUnsaid }) => isUnsaid)) event.preventDefault();
});

// ---- buttons and keys

find("judgement").addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.name) say(sayingOf(event.submitter));
});
refuseDouble(find("judgement"), () => screen.refuseEarly("A double click judges once. Nothing more was judged."));
find("undo").addEventListener("submit", (event) => {
  event.preventDefault();
  undo();
});

const deeds = {
  undo,
  later: () => say({ state: "later" }),
  cannot: () => verdict.openReasons(),
  comment: () => verdict.openComment(),
  confidence: () => data.askConfidence && cards.current && screen.notice(`How sure: ${verdict.nextConfidence()}`),
  mark: () => data.passages !== "off" && screen.notice(reader.toggleMark()),
  highlights: () => reader.toggleHighlights?.(),
  next_highlight: () => reader.nextHighlight?.(),
  previous_highlight: () => reader.nextHighlight?.(true),
  find: () => reader.openFind?.(),
  full_text: showFull,
  guidelines: () => toggle("guidelines"),
  legend: () => toggle("legend"),
};
const keys = new Keys({
  areOn: data.preferences.keysOn,
  deeds,
  keys: data.preferences.keys,
  grades: { ...Object.fromEntries(data.grades.map((grade) => [String(grade), grade])), ...data.letters },
  judge: (relevance) => say({ state: "judged", relevance }),
  escape: () => (reader.finding ? reader.closeFind() : closeAll()),
});

function keyPressed(event) {
  input = "key";
  alive();
  keys.handle(event);
}

document.addEventListener("keydown", keyPressed);
document.addEventListener("pointerdown", () => (input = "pointer"), { capture: true });
document.addEventListener("visibilitychange", () => document.hidden || retryText());
giveKeysBack(() => input === "key");
watch(stopwatch, alive);

if (!store.lasting) screen.tell("This browser keeps nothing for later: what is not sent yet is lost when the page is closed.");
replay(await outbox.load());
onChange();
show();
backToDocument();
cards.fetchAhead();
outbox.send();
