/**
 * The judging page: one key judges the document on the screen, shows the next one, and saves in the background.
 *
 * A key judges only what has been painted for `paintedMs`; an earlier one is refused, visibly. What was said waits in
 * a queue and is sent one after the other, each under an id of its own, so that sending it again changes nothing.
 * Without this script the same buttons are a plain form.
 */

const data = JSON.parse(document.getElementById("script-data").textContent);
const find = (id) => document.getElementById(id);
const form = find("judgement");
const undoForm = find("undo");
const gradeButtons = [...form.querySelectorAll("button[name=relevance]")];
const RETRY_MS = 2000;

let cards = data.cards; // cards[0] is on the screen
const history = data.last ? [data.last] : []; // settled on this page, newest last
const unsent = []; // said, not yet acknowledged, oldest first
let paintedAt = Infinity; // when the card on the screen became visible
let activeSince = performance.now();
let activeMs = 0;
let sending = false;
let fetching = false;
let exhausted = false; // the server has nothing more in this topic
let touched = new Set(); // tasks that were said something of while cards are being fetched

// ---- the card on the screen

function show() {
  const card = cards[0];
  paintedAt = Infinity;
  find("card").hidden = !card;
  find("finished").hidden = Boolean(card) || !exhausted;
  find("waiting").hidden = Boolean(card) || exhausted;
  for (const button of form.querySelectorAll("button")) button.disabled = !card;
  undoForm.querySelector("button").disabled = history.length === 0;
  if (!card) return;
  find("doc-title").textContent = card.title || card.doc_id;
  find("doc-meta").textContent = card.doc_id;
  find("doc-body").textContent = card.text ?? "";
  find("doc-lacking").hidden = card.text !== null;
  find("comment").value = card.draft ?? card.comment;
  for (const button of gradeButtons) button.ariaPressed = String(Number(button.value) === card.relevance);
  find("document").scrollTop = 0;
  activeMs = 0;
  activeSince = performance.now();
  const shown = card;
  // Two frames: the first is asked for, the second comes after the first was painted.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (cards[0] === shown) paintedAt = performance.now();
  }));
}

const seenLongEnough = () => performance.now() - paintedAt >= data.paintedMs;

function refuseEarly() {
  find("notice").textContent = "Too early: this document had just come up. Nothing was judged.";
  const article = find("document");
  article.classList.remove("early");
  void article.offsetWidth; // lets the same animation start again
  article.classList.add("early");
}

// ---- what the assessor says

function judge(saying) {
  if (!cards.length) return;
  if (!seenLongEnough()) return refuseEarly();
  find("notice").textContent = "";
  const card = cards.shift();
  const comment = find("comment").value.trim();
  find("cannot").open = false;
  enqueue(card, { ...saying, comment, active_ms: activeTime() });
  history.push({ ...card, draft: undefined, comment, state: saying.state, relevance: saying.relevance ?? null });
  show();
}

function undo() {
  const card = history.pop();
  if (!card) return;
  const onScreen = cards[0];
  if (onScreen) onScreen.draft = find("comment").value; // it belongs to this document, wherever one goes
  cards = [card, ...cards.filter((other) => other.task !== card.task)];
  enqueue(card, { state: "undone", active_ms: onScreen ? activeTime() : 0 });
  show();
}

function enqueue(card, saying) {
  touched.add(card.task);
  exhausted = false;
  unsent.push({ card, saying, clientId: newId() });
  say("waiting", `Saving ${unsent.length} …`);
  send();
}

function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // on plain HTTP, where randomUUID is not there
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Milliseconds that the document was looked at. */
function activeTime() {
  return Math.round(activeMs + (document.hidden ? 0 : performance.now() - activeSince));
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) activeMs += performance.now() - activeSince;
  activeSince = performance.now();
});

// ---- sending

async function send() {
  if (sending) return;
  sending = true;
  while (unsent.length) {
    const answer = await post(unsent[0]);
    if (answer === "again") break;
    const { card } = unsent.shift();
    if (answer.error) putBack(card, answer.error);
    else acknowledge(answer);
  }
  sending = false;
  if (unsent.length) return void setTimeout(send, RETRY_MS);
  await fetchMore();
}

async function post({ card, saying, clientId }) {
  const fields = new FormData();
  fields.set("client_id", clientId);
  fields.set("member", data.member);
  if (data.guidelinesVersion) fields.set("guidelines_version", data.guidelinesVersion);
  for (const [name, value] of Object.entries(saying)) if (value !== undefined && value !== "") fields.set(name, value);
  const address = data.recordUrl.replace("00000000-0000-0000-0000-000000000000", card.task);
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  try {
    const response = await fetch(address, { method: "POST", body: fields, headers, redirect: "manual" });
    if (response.type === "opaqueredirect") return notYet("You are signed out. Sign in again in another tab; what you judged waits here.");
    if (response.status === 403) return notYet("Somebody else is signed in. Sign in as yourself in another tab; what you judged waits here.");
    if (response.status >= 500 || response.status === 429) return notYet("The server has trouble. What you judged waits here and is sent again.");
    const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
    if (answer.wait) return notYet(answer.error);
    return response.ok ? answer : { error: answer.error };
  } catch {
    return notYet("No connection. What you judged waits here and is sent again.");
  }
}

/** The cookie's token if it can be read: after signing in again in another tab it is newer than the page's. */
function csrfToken() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return cookie ? cookie[1] : form.elements.csrfmiddlewaretoken.value;
}

function notYet(message) {
  say("waiting", `${message} (${unsent.length} unsaved)`);
  return "again";
}

function putBack(card, error) {
  const at = history.findLastIndex((other) => other.task === card.task);
  if (at >= 0) history.splice(at, 1);
  cards = [card, ...cards.filter((other) => other.task !== card.task)];
  say("failed", `Not saved: ${error}`);
  show();
}

function acknowledge(answer) {
  if (answer.last && history.length === 0 && !unsent.length) {
    history.push(answer.last);
    undoForm.querySelector("button").disabled = false;
  }
  find("progress").max = answer.topic.total;
  find("progress").value = answer.topic.done;
  find("progress-topic").textContent = `${answer.topic.done} of ${answer.topic.total} in this topic, ${answer.topic.later} for later`;
  find("progress-all").textContent = `${answer.all.done} of ${answer.all.total} in all`;
  if (unsent.length) say("waiting", `Saving ${unsent.length} …`);
  else say("saved", "✓ all saved");
}

/**
 * Keeps the next documents ready. What is on the page or on its way is not asked for again, and what was said something
 * of while the answer was on its way is not taken from it: the answer may be older.
 */
async function fetchMore() {
  if (fetching || exhausted || cards.length >= data.ahead) return;
  fetching = true;
  touched = new Set();
  const here = new Set([...cards, ...unsent.map(({ card }) => card)].map((card) => card.task));
  const query = new URLSearchParams([...here].map((task) => ["besides", task]));
  const found = await ask(`${data.nextUrl}?${query}`);
  fetching = false;
  if (!found) return void (cards.length || setTimeout(fetchMore, RETRY_MS));
  const known = new Set([...here, ...cards.map((card) => card.task), ...touched]);
  const wasEmpty = cards.length === 0;
  const fresh = found.filter((card) => !known.has(card.task));
  cards.push(...fresh);
  exhausted = found.length === 0 && touched.size === 0 && unsent.length === 0;
  if (wasEmpty) show();
  if (!cards.length && !exhausted && !unsent.length) fetchMore();
}

/** The cards at an address, or null where they cannot be had now. */
async function ask(address) {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" }, redirect: "error" });
    return response.ok ? (await response.json()).cards : null;
  } catch {
    return null;
  }
}

function say(state, words) {
  find("save").dataset.state = state;
  find("save").textContent = words;
}

window.addEventListener("beforeunload", (event) => {
  if (unsent.length) event.preventDefault();
});

// ---- buttons and keys

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, value } = event.submitter;
  if (name === "relevance") judge({ state: "judged", relevance: Number(value) });
  else if (name === "reason") judge({ state: "cannot_judge", reason: value });
  else judge({ state: "later" });
});
undoForm.addEventListener("submit", (event) => {
  event.preventDefault();
  undo();
});

const toggle = (id) => {
  const details = find(id);
  if (details) details.open = !details.open;
};
const openPanel = (focusOn) => {
  find("cannot").open = true;
  focusOn.focus();
};
const keys = {
  l: () => judge({ state: "later" }),
  u: undo,
  x: () => openPanel(find("cannot").querySelector("button")),
  c: () => openPanel(find("comment")),
  g: () => toggle("guidelines"),
  "?": () => toggle("legend"),
};
for (const [key, grade] of Object.entries(data.gradeKeys)) keys[key] = () => judge({ state: "judged", relevance: grade });

document.addEventListener("keydown", (event) => {
  if (event.repeat && event.target.closest("button")) event.preventDefault(); // Enter held down on a grade
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "Escape" && find("cannot").open) {
    find("cannot").open = false;
    find("document").focus();
    return;
  }
  if (typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.target.closest("#cannot > div")) return; // choosing a reason
  const deed = keys[event.key];
  if (!deed) return;
  event.preventDefault();
  deed();
});

exhausted = cards.length === 0;
show();
