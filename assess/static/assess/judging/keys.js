/** Maps the keys pressed on the page to actions. */

const TEXT_FIELDS = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";
const PANELS_WITH_KEYS = "dialog, [role=dialog], details.panel[open], form.panel, search, [role=search]";
const DIGITS = "0123456789";

export class Keys {
  /** @type {Map<string, () => void>} */
  #actions = new Map();

  /**
   * @param {object} options
   * @param {boolean} options.enabled
   * @param {Record<string, () => unknown>} options.actions by name
   * @param {Record<string, string>} options.keys the key of each action
   * @param {Record<string, number>} options.grades the grade of each grade key
   * @param {(grade: number) => void} options.judge
   * @param {(digit: string) => void} options.refuseDigit called for a digit that is no grade
   * @param {() => void} options.onEscape
   */
  constructor({ enabled, actions, keys, grades, judge, refuseDigit, onEscape }) {
    this.onEscape = onEscape;
    if (!enabled) return;
    for (const digit of DIGITS) this.#actions.set(digit, () => refuseDigit(digit));
    for (const [name, action] of Object.entries(actions)) this.#actions.set(keys[name], action);
    for (const [key, grade] of Object.entries(grades)) this.#actions.set(key, () => judge(grade));
  }

  /**
   * Handle a key pressed on the page or in the document's frame.
   *
   * @param {KeyboardEvent} event
   */
  handle(event) {
    const target = /** @type {Element} */ (event.target);
    // Without this, holding Enter down on a button presses it again and again.
    if (event.repeat && event.key === "Enter" && target.closest?.("button")) event.preventDefault();
    if (event.key === "Escape" && !event.defaultPrevented) return void this.onEscape();
    const action = this.#isForPage(event) && this.#actions.get(withoutCapsLock(event));
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {KeyboardEvent} event */
  #isForPage(event) {
    if (event.defaultPrevented || event.repeat || event.isComposing) return false;
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    // No instanceof: the target of an event in a frame is an instance of the frame's Element.
    const target = /** @type {Element} */ (event.target);
    return !target.closest?.(`${TEXT_FIELDS}, ${PANELS_WITH_KEYS}`);
  }
}

/** @param {KeyboardEvent} event */
const withoutCapsLock = (event) => (event.getModifierState?.("CapsLock") ? event.key.toLowerCase() : event.key);
