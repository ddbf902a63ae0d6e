/**
 * A worksheet: every field is checked as it is left. Without this script the page is a plain form with a button "Check".
 *
 * Whether an answer is right is told by the server, which alone knows; what could not be sent is sent again once the
 * connection is back, or when the field is left another time.
 */

const PATIENCE_MS = 20_000;
const form = document.getElementById("worksheet");
const turns = new Map(); // field -> the request that is under way for it, so that the last one written is kept last
const unsent = new Set(); // fields that were written and did not reach the server

form.classList.add("scripted");
form.addEventListener("change", (event) => check(questionOf(event.target)));
form.addEventListener("submit", submitted);
window.addEventListener("online", () => unsent.forEach((name) => check(document.getElementById(name))));
window.addEventListener("beforeunload", (event) => unsent.size && event.preventDefault());

const questionOf = (element) => element.closest(".question");
const input = (question) => question.querySelector("input:checked, input:not([type=radio])");

// On a slow line a student writes before this script is here: those fields were left already and tell no more.
for (const early of form.querySelectorAll(".question input")) {
  const wasChosen = early.type === "radio" && early.checked && !early.defaultChecked;
  const wasLeft = early !== document.activeElement && early.value !== early.defaultValue;
  if (wasChosen || wasLeft) check(questionOf(early));
}

/** "Show me this step", or the Enter key, which leaves the field and goes to the next one. */
function submitted(event) {
  event.preventDefault();
  const button = event.submitter;
  if (button?.classList.contains("show")) return void show(questionOf(button));
  const question = questionOf(document.activeElement);
  const following = question?.nextElementSibling?.querySelector("input");
  if (following) following.focus();
  else document.activeElement.blur();
}

function check(question) {
  const { name, value } = input(question);
  return inTurn(question, form.dataset.answer, { [name]: value });
}

function show(question) {
  return inTurn(question, form.dataset.show, { field: question.dataset.field }, true);
}

/** One request of a field after the other: the answer that is shown is that to what was asked last. */
function inTurn(question, address, fields, focus = false) {
  const name = question.dataset.field;
  const turn = (turns.get(name) ?? Promise.resolve()).then(async () => {
    const answer = await post(address, fields);
    if (turns.get(name) !== turn && !answer.state) return; // a later one is coming, which tells more
    tell(question, answer);
    if (focus && answer.state) reveal(question);
  });
  turns.set(name, turn);
  return turn;
}

/** What the server says, or `{error}`: a sentence for the student. */
async function post(address, fields) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": token() },
      body: new URLSearchParams(fields),
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const answer = await response.json().catch(() => null);
    if (answer && (response.ok || answer.error)) return answer;
    if (response.type === "opaqueredirect" || response.status === 404 || response.status === 403) {
      return { error: "This seat or worksheet is not open to this browser any more: reload the page." };
    }
    return { error: `The server could not check it (${response.status}); it is sent again when you change it.` };
  } catch {
    return { error: "There is no connection: it is checked once it is back.", isOffline: true };
  }
}

/** The cookie's token if it can be read: after sitting down again it is newer than the page's. */
function token() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return cookie ? cookie[1] : form.elements.csrfmiddlewaretoken.value;
}

function tell(question, answer) {
  if (answer.isOffline) unsent.add(question.dataset.field);
  else unsent.delete(question.dataset.field);
  if (answer.error) {
    question.dataset.state = "wrong";
    return void say(question, `⚠ Not checked. ${answer.error}`);
  }
  question.dataset.state = answer.state;
  say(question, sentence(answer));
  const written = question.querySelector("input:not([type=radio])");
  if (written && answer.state === "wrong") written.setAttribute("aria-invalid", "true");
  else written?.removeAttribute("aria-invalid");
  question.querySelector(".how").textContent = answer.how;
  question.querySelector(".how").hidden = !answer.how;
  question.querySelector(".show").hidden = Boolean(answer.how);
  document.getElementById("total").textContent = answer.total;
}

function sentence({ right, shown, hint }) {
  if (right && shown) return "✓ Right, without a mark: the step was shown.";
  if (right) return hint ? `✓ Right. ${hint}` : "✓ Right.";
  if (hint) return `✗ Not yet. ${hint}`;
  return shown ? "The step was shown: no mark." : "";
}

function say(question, text) {
  question.querySelector(".said-of-it").textContent = text;
}

/** The button that was pressed is gone: the focus goes to what it brought. */
function reveal(question) {
  const how = question.querySelector(".how");
  how.tabIndex = -1;
  how.focus({ preventScroll: true });
}
