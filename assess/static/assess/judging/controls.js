/** Connects the buttons and keys of the page to its actions. */

import { byId } from "../dom.js";
import { refuseDoubleClick } from "./double-click.js";
import { judgementFromButton } from "./judgement-form.js";
import { Keys } from "./keys.js";
import { closePanels, togglePanel } from "./panels.js";
import * as status from "./status.js";

/**
 * @typedef {import("./types.js").Judgement} Judgement
 * @typedef {import("./types.js").PageData} PageData
 */

/**
 * Connect the buttons, and return the keys.
 *
 * @param {object} options
 * @param {PageData} options.pageData
 * @param {import("./judgement-form.js").JudgementForm} options.form
 * @param {import("../reading/reader.js").Reader} options.reader
 * @param {import("./topic-panel.js").TopicPanel} options.panel
 * @param {(judgement: Judgement) => void} options.judge
 * @param {() => void} options.undo
 * @param {() => void} options.redo
 * @param {() => void} options.showFullText
 */
export function connectControls({ pageData, form, reader, panel, judge, undo, redo, showFullText }) {
  connectButtons(form, { judge, undo, redo });
  /** @param {string} id */
  const openInTopic = (id) => {
    panel.open();
    togglePanel(id);
  };
  const closeAll = () => {
    panel.close();
    closePanels();
  };
  // The names are those of the assessor's key settings.
  const actions = {
    undo,
    redo,
    later: () => judge({ state: "later" }),
    cannot: () => form.isOpen && form.openReasons(),
    comment: () => form.isOpen && form.openComment(),
    confidence: () => pageData.askConfidence && form.isOpen && status.notice(`Confidence: ${form.nextConfidence()}`),
    mark: () => pageData.passages !== "off" && status.notice(reader.toggleMark()),
    highlights: () => reader.toggleHighlights(),
    next_highlight: () => reader.nextHighlight(),
    previous_highlight: () => reader.nextHighlight(true),
    find: () => reader.openFind(),
    full_text: showFullText,
    guidelines: () => openInTopic("guidelines"),
    legend: () => openInTopic("legend"),
  };
  return new Keys({
    enabled: pageData.preferences.keysOn,
    actions,
    keys: pageData.preferences.keys,
    grades: { ...Object.fromEntries(pageData.grades.map((grade) => [String(grade), grade])), ...pageData.letters },
    judge: (relevance) => judge({ state: "judged", relevance }),
    refuseDigit: (digit) =>
      status.notice(`${digit} is not on the scale; the grades are ${pageData.grades.join(", ")}. Nothing was judged.`),
    onEscape: () => (reader.isFinding ? reader.closeFind() : closeAll()),
  });
}

/**
 * @param {import("./judgement-form.js").JudgementForm} form
 * @param {{judge: (judgement: Judgement) => void, undo: () => void, redo: () => void}} actions
 */
function connectButtons({ form }, { judge, undo, redo }) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button instanceof HTMLButtonElement && button.name) judge(judgementFromButton(button));
  });
  refuseDoubleClick(form, () => status.refuseEarly("A double click judges only one document."));
  byId("redo").addEventListener("click", redo);
  byId("undo").addEventListener("submit", (event) => {
    event.preventDefault();
    undo();
  });
}
