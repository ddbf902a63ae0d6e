/** On My topics: what an earlier page left in this browser is sent, and that is told. */

import { Outbox } from "./outbox.js";
import { Server } from "./server.js";
import { openStore } from "./store.js";
import { refused } from "./told.js";

const place = document.getElementById("leftovers");
const user = Number(place.dataset.user);
const refusals = [];
const server = new Server({ user, signInAddress: place.dataset.signIn });
const outbox = new Outbox({
  store: await openStore(),
  server,
  user,
  onReceipt: () => {},
  onRefusal: (entry, refusal) => refusals.push(refused(entry.card, refusal)),
  onChange: say,
});

const CAUSES = {
  offline: "there is no connection",
  trouble: "the server has trouble",
  paused: "judging is paused; they are sent when it goes on",
  "signed-out": "you are signed out: reload this page to sign in",
  "somebody-else": "somebody else is signed in: sign in as yourself to send them",
};

function say() {
  const count = outbox.waiting.length;
  const were = count === 1 ? "1 judgement of an earlier page is" : `${count} judgements of an earlier page are`;
  let words = "What an earlier page had left in this browser is saved now; reload this page to see it counted.";
  if (count) words = outbox.trouble ? `${were} not sent yet: ${CAUSES[outbox.trouble]}.` : `${were} being sent …`;
  place.textContent = [words, ...refusals].join(" ");
  place.dataset.state = count ? "waiting" : "saved";
}

if ((await outbox.load()).length) {
  place.hidden = false;
  say();
  outbox.send();
}
