import type { Clock } from "../../api/clock.ts";

/** Number of characters that the editor may have without having displayed them. */
const maxUndisplayed = 131_072;
/** Number of characters after which the editor is asked whether it has displayed them. */
const askEvery = 32_768;
/** Milliseconds after which output counts as displayed even if the editor doesn't answer. */
const responseTimeMs = 500;
/** No program uses these private modes. The editor's terminal responds with their number. */
const firstMode = 7300;
const modes = 100;
const modeResponse = /\p{Cc}\[\?(\d{4});\d\$y/gu;

/**
 * Passes output to the editor only as fast as its terminal displays it, which the editor's API does not report. Asks the
 * terminal itself: after some output follows a question for a mode (DECRQM), to which it responds in order.
 */
export class DisplayFlow {
  readonly #write: (text: string) => void;
  readonly #clock: Clock;
  readonly #onRoom: () => void;
  /** Questions without a response, with the number of characters before each. */
  readonly #asked = new Map<number, { readonly length: number; readonly cancel: () => void }>();
  #lastMode = 0;
  #hasAsked = false;
  #undisplayed = 0;
  #sinceQuestion = 0;

  constructor(write: (text: string) => void, onRoom: () => void, clock: Clock) {
    this.#write = write;
    this.#onRoom = onRoom;
    this.#clock = clock;
  }

  get hasRoom(): boolean {
    return this.#undisplayed < maxUndisplayed;
  }

  /** Displays text that doesn't end within a sequence. */
  write(text: string): void {
    this.#undisplayed += text.length;
    this.#sinceQuestion += text.length;
    if (this.#sinceQuestion < askEvery) {
      this.#write(text);
      return;
    }
    this.#lastMode = (this.#lastMode + 1) % modes;
    const mode = firstMode + this.#lastMode;
    const cancel = this.#clock.schedule(responseTimeMs, () => this.#displayed(mode));
    this.#hasAsked = true;
    this.#asked.set(mode, { length: this.#sinceQuestion, cancel });
    this.#sinceQuestion = 0;
    this.#write(`${text}\u001b[?${mode}$p`);
  }

  /** Removes the terminal's responses to questions from its input. The rest is what the user has typed. */
  typedIn(input: string): string {
    if (!this.#hasAsked) {
      return input;
    }
    return input.replace(modeResponse, (response, digits: string) => {
      const mode = Number(digits);
      this.#displayed(mode);
      // A response that came too late must not reach the shell, either.
      return mode >= firstMode && mode < firstMode + modes ? "" : response;
    });
  }

  dispose(): void {
    for (const { cancel } of this.#asked.values()) {
      cancel();
    }
    this.#asked.clear();
  }

  #displayed(mode: number): void {
    const question = this.#asked.get(mode);
    if (question === undefined) {
      return;
    }
    question.cancel();
    this.#asked.delete(mode);
    this.#undisplayed -= question.length;
    this.#onRoom();
  }
}
