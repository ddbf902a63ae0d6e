/** On My topics: sends the judgements that an earlier page left in this browser, and reports the result. */

import { byId } from "../dom.js";
import { refusalMessage } from "./messages.js";
import { Outbox } from "./outbox.js";
import { Server } from "./server.js";
import { openStore } from "./store.js";

/** @type {Record<string, string>} */
const CAUSES = {
  offline: "There is no connection.",
  trouble: "The server has a problem.",
  paused: "Judging is paused. Sending continues when it resumes.",
  closed: "Judging is closed. Sending continues if it opens again.",
  "signed-out": "You are signed out. Reload this page to sign in.",
  "somebody-else": "Another user is signed in. Sign in as yourself to continue.",
};

const element = byId("waiting-judgements");
const user = Number(element.dataset.user);
/** @type {string[]} */
const refusals = [];
const server = new Server({ user, signInAddress: element.dataset.signIn ?? "" });
const outbox = new Outbox({
  store: await openStore(),
  server,
  user,
  onReceipt: () => {},
  onRefusal: (entry, refusal) => refusals.push(refusalMessage(entry.card, refusal)),
  onChange: showState,
});

function showState() {
  const count = outbox.waiting.length;
  const subject = count === 1 ? "1 judgement from an earlier page is" : `${count} judgements from an earlier page are`;
  let text = "The judgements from an earlier page are saved now. Reload this page to update the counts.";
  if (count) text = outbox.trouble ? `${subject} not sent yet. ${CAUSES[outbox.trouble]}` : `${subject} being sent …`;
  element.textContent = [text, ...refusals].join(" ");
  element.dataset.state = count ? "waiting" : "saved";
}

if ((await outbox.load()).length) {
  element.hidden = false;
  showState();
  outbox.send();
}
