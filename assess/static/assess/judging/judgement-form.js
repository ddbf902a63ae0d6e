/** The form under the document: what it says, and what it shows of an earlier saying. */

export class Verdict {
  #shown = "";

  constructor(form) {
    this.form = form;
    this.comment = form.querySelector("#comment");
    this.panel = form.querySelector("#cannot");
    this.confidences = [...form.querySelectorAll("input[name=confidence]")];
    this.grades = [...form.querySelectorAll("button[name=relevance]")];
  }

  show(card) {
    for (const button of this.form.querySelectorAll("button[name]")) button.disabled = !card;
    this.comment.value = card?.comment ?? "";
    this.#shown = this.comment.value.trim();
    this.panel.open = false;
    this.#confide(card?.confidence ?? null);
    for (const button of this.grades) button.ariaPressed = String(Number(button.value) === card?.relevance);
  }

  /** Whether a comment was begun or changed, and not said. */
  get hasUnsaidComment() {
    return this.comment.value.trim() !== this.#shown;
  }

  read() {
    const chosen = this.confidences.find((radio) => radio.checked && radio.value);
    return { comment: this.comment.value.trim(), confidence: chosen ? Number(chosen.value) : null };
  }

  /** The words or the passage that are still wanted, in a sentence; words are given at once. */
  wanted({ state, relevance, reason, comment, passages }, { grades, passages: rule }) {
    if (reason === "other" && !comment) {
      this.openComment();
      return "Another reason needs words: say in the comment why this document cannot be judged.";
    }
    const isRelevant = state === "judged" && relevance !== Math.min(...grades);
    if (rule !== "required" || !isRelevant || passages.length) return "";
    return "Mark the passage that decided it first: this collection asks for it with every relevant document.";
  }

  openReasons() {
    this.#open(this.panel.querySelector("button"));
  }

  openComment() {
    this.#open(this.comment);
  }

  #open(focusOn) {
    this.panel.open = true;
    focusOn.focus();
  }

  /** To the next degree of confidence, and round again; its words. */
  nextConfidence() {
    const at = this.confidences.findIndex((radio) => radio.checked);
    const next = this.confidences[(at + 1) % this.confidences.length];
    next.checked = true;
    return next.labels[0].textContent.trim();
  }

  #confide(confidence) {
    for (const radio of this.confidences) radio.checked = radio.value === String(confidence ?? "");
  }
}

/** What a button of the form says. */
export function sayingOf({ name, value }) {
  if (name === "relevance") return { state: "judged", relevance: Number(value) };
  return name === "reason" ? { state: "cannot_judge", reason: value } : { state: value };
}
