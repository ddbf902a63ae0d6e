/** What is written on the page around the document: progress, save state, and sentences for the assessor. */

const find = (id) => document.getElementById(id);

const CAUSES = {
  offline: "no connection",
  trouble: "the server has trouble",
  "signed-out": "you are signed out",
  "somebody-else": "somebody else is signed in",
};

/** A word for the moment: it goes with the next judgement. */
export function notice(words) {
  find("notice").textContent = words;
}

/** For those who do not see the page change. */
export function announce(words) {
  find("announce").textContent = words;
}

/** A sentence that stays until it is sent away, in the place of `former` if that is still there; its own place. */
export function tell(sentence, former) {
  if (former?.isConnected) {
    former.firstChild.data = `${sentence} `;
    return former;
  }
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "Understood" });
  const item = document.createElement("p");
  item.append(`${sentence} `, button);
  button.addEventListener("click", () => {
    item.remove();
    find("told").hidden = find("told").childElementCount === 0;
    find("document").focus();
  });
  find("told").hidden = false;
  find("told").append(item);
  return item;
}

export function saveState({ failure, count, trouble }) {
  if (failure) say("failed", `Not saved: ${failure}`);
  else if (!count) say("saved", "✓ all saved");
  else if (trouble === "paused") say("waiting", `Judging is paused: ${judgements(count)} here`);
  else if (trouble) say("waiting", `waiting: ${count} not sent yet, ${CAUSES[trouble]}`);
  else say("saving", `Saving ${count} …`);
}

const judgements = (count) => (count === 1 ? "1 judgement waits" : `${count} judgements wait`);

function say(state, words) {
  find("save").dataset.state = state;
  if (find("save").textContent !== words) find("save").textContent = words;
}

/** `begun` is how far one was, in the topic and in all, when this page began. */
export function progress(topic, begun) {
  const all = { ...begun.all };
  for (const name of Object.keys(topic)) all[name] += topic[name] - begun.topic[name];
  find("progress").max = topic.total + topic.to_claim;
  find("progress").value = topic.done;
  find("progress-topic").textContent = `${howFar(topic)} in this topic, ${topic.later} for later`;
  find("progress-all").textContent = `${howFar(all)} in all`;
}

/** Where there is more to claim, nobody knows how many of it will be one's own. */
function howFar({ done, left, total, to_claim: toClaim }) {
  return toClaim ? `${done} judged, ${left + toClaim} to go` : `${done} of ${total}`;
}

/** Where undo leads beyond this topic: a link to the last one that was said anything of, or none. */
export function undoElsewhere(before) {
  const link = find("before");
  link.hidden = !before;
  if (!before) return;
  link.href = before.address;
  link.textContent = `Back to the last one before, in topic “${before.title}”`;
}

/** Flash the document: it was judged before it could have been seen, or by the second half of a double click. */
export function refuseEarly(words = "Too early: this document had just come up. Nothing was judged.") {
  notice(words);
  const article = find("document");
  article.classList.remove("early");
  void article.offsetWidth; // lets the same animation start again
  article.classList.add("early");
}

/** Two frames: the first is asked for, the second comes after the first was painted. */
export function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** The topic's end as the server tells it, with what it asks there: this page began before the end. */
export async function refreshEnd() {
  try {
    const response = await fetch(location.pathname, { headers: { Accept: "text/html" }, redirect: "error" });
    const there = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("finished");
    if (!there || there.hidden) return;
    renewEnd(find("finished"), there);
  } catch {
    // The words that are there already will do.
  }
}

/** What was begun at an earlier end stays, and the focus in it; only its token is the new form's, as a sign-in may have
 * come between. */
function renewEnd(end, there) {
  const [begun, fresh] = [end, there].map((one) => one.querySelector(":scope > form.exit"));
  if (!begun || !fresh) return end.replaceChildren(...there.childNodes);
  begun.elements.csrfmiddlewaretoken.value = fresh.elements.csrfmiddlewaretoken.value;
  for (const old of [...end.childNodes]) if (old !== begun) old.remove();
  const news = [...there.childNodes];
  begun.before(...news.slice(0, news.indexOf(fresh)));
  begun.after(...news.slice(news.indexOf(fresh) + 1));
}
