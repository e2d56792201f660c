import { plainText } from "../../../api/displayed-text.ts";
import type { ExecutionEvent, ExecutionSink, MimeBundle } from "../../../api/kernels/executions/executions.ts";
import { detached } from "../../../api/text.ts";
import { type Picture, pictureFrom } from "./pictures.ts";

/** Maximum length of the returned output, in characters. Any further output is discarded. */
const maxCharacters = 20_000;
/**
 * Characters that are kept beyond that limit until credentials are removed, because a credential could cross the limit.
 */
const margin = 10_000;
const maxOutputs = 100;
const maxMimeTypes = 20;
const maxIdLength = 200;

/** Maximum length of the returned pictures in base64, in characters. Any further pictures are discarded. */
const maxPictureCharacters = 60_000;

/** An output that shows something: its plain text, and the names of its other types. */
interface Shown {
  readonly type: "display" | "result";
  readonly text: string;
  readonly mimeTypes: readonly string[];
}

/** One output of a cell. */
type CellOutput =
  | { readonly type: "stdout" | "stderr"; readonly text: string }
  | Shown
  | { readonly type: "error"; readonly name: string; readonly value: string; readonly traceback: string };

/** Types of pictures, the preferred one first. */
const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

interface Display {
  readonly index: number;
  readonly type: "display" | "result";
}

/** Collects the output of a cell up to a limit. */
export class CellOutputCollector implements ExecutionSink {
  #outputs: CellOutput[] = [];
  readonly #displays = new Map<string, Display[]>();
  /** The pictures by the index of their output. */
  readonly #pictures = new Map<number, Picture>();
  #pictureCharacters = 0;
  readonly #onInput: () => void;
  #characters = 0;
  #leftOut = 0;
  #executionCount: number | undefined;
  #clearsNext = false;
  #hasGap = false;

  /** `onInput` is called if the code asks for input. */
  constructor(onInput: () => void) {
    this.#onInput = onInput;
  }

  onEvents(events: readonly ExecutionEvent[]): void {
    for (const event of events) {
      this.#take(event);
    }
  }

  /** The pictures in the order of the outputs. */
  get pictures(): readonly Picture[] {
    return [...this.#pictures].sort(([a], [b]) => a - b).map(([, picture]) => picture);
  }

  /** The output without colors and credentials, and the number of omitted characters. */
  value(redacted: (text: string) => string) {
    let room = maxCharacters;
    let leftOut = this.#leftOut;
    const shown = (text: string): string => {
      const clean = redacted(plainText(text));
      const part = clean.slice(0, room);
      room -= part.length;
      leftOut += clean.length - part.length;
      return part;
    };
    const outputs = this.#outputs.map(
      (output): CellOutput =>
        output.type === "error"
          ? { type: "error", name: shown(output.name), value: shown(output.value), traceback: shown(output.traceback) }
          : { ...output, text: shown(output.text) },
    );
    return {
      ...(this.#executionCount === undefined ? {} : { executionCount: this.#executionCount }),
      outputs,
      ...(leftOut === 0 ? {} : { charactersLeftOut: leftOut }),
      ...(this.#hasGap ? { outputMayBeMissing: true } : {}),
    };
  }

  #take(event: ExecutionEvent): void {
    switch (event.type) {
      case "stream":
        this.#clearIfDue();
        this.#write(event.name, event.text);
        return;
      case "display":
      case "result":
        this.#clearIfDue();
        this.#display(event.type, event.bundle, event.displayId);
        return;
      case "updateDisplay":
        this.#update(event.bundle, event.displayId);
        return;
      case "error":
        this.#clearIfDue();
        this.#add({
          type: "error",
          name: this.#kept(event.name),
          value: this.#kept(event.value),
          traceback: this.#kept(event.traceback.join("\n")),
        });
        return;
      case "clearOutput":
        this.#clearsNext = true;
        if (!event.wait) {
          this.#clearIfDue();
        }
        return;
      case "started":
      case "ended":
        this.#executionCount = event.executionCount ?? this.#executionCount;
        return;
      case "inputRequest":
        this.#onInput();
        return;
      case "gap":
        this.#hasGap = true;
        return;
      default:
        return;
    }
  }

  #clearIfDue(): void {
    if (this.#clearsNext) {
      this.#clearsNext = false;
      this.#outputs = [];
      this.#displays.clear();
      this.#pictures.clear();
      this.#pictureCharacters = 0;
      this.#characters = 0;
      this.#leftOut = 0;
    }
  }

  #write(type: "stdout" | "stderr", text: string): void {
    const last = this.#outputs.at(-1);
    const kept = this.#kept(text, last?.type === type);
    if (last?.type === type) {
      this.#outputs[this.#outputs.length - 1] = { type, text: last.text + kept };
    } else if (kept !== "") {
      this.#add({ type, text: kept });
    }
  }

  #display(type: Display["type"], bundle: MimeBundle, displayId: string | undefined): void {
    const index = this.#outputs.length;
    const { text, mimeTypes } = partsOf(bundle);
    this.#add({ type, text: this.#kept(text), mimeTypes });
    this.#keepPicture(index, pictureIn(bundle));
    if (displayId !== undefined && displayId.length <= maxIdLength && index < maxOutputs) {
      this.#displays.set(displayId, [...(this.#displays.get(displayId) ?? []), { index, type }]);
    }
  }

  #update(bundle: MimeBundle, displayId: string): void {
    const displays = this.#displays.get(displayId);
    if (displays === undefined) {
      return;
    }
    // Once, because a message can update a hundred outputs.
    const { text, mimeTypes } = partsOf(bundle);
    const picture = pictureIn(bundle);
    for (const { index, type } of displays) {
      const before = this.#outputs[index];
      this.#characters -= before !== undefined && "text" in before ? before.text.length : 0;
      this.#outputs[index] = { type, text: this.#kept(text, true), mimeTypes };
      this.#keepPicture(index, picture);
    }
  }

  #keepPicture(index: number, picture: Picture | undefined): void {
    this.#pictureCharacters -= this.#pictures.get(index)?.data.length ?? 0;
    this.#pictures.delete(index);
    const more = picture?.data.length ?? 0;
    if (picture !== undefined && index < maxOutputs && this.#pictureCharacters + more <= maxPictureCharacters) {
      this.#pictureCharacters += more;
      this.#pictures.set(index, picture);
    }
  }

  #add(output: CellOutput): void {
    if (this.#outputs.length < maxOutputs) {
      this.#outputs.push(output);
    }
  }

  /** The beginning of a text, as far as it fits. `isThere`: its output is already in the list. */
  #kept(text: string, isThere = false): string {
    const hasPlace = isThere || this.#outputs.length < maxOutputs;
    const room = hasPlace ? Math.max(0, maxCharacters + margin - this.#characters) : 0;
    const kept = text.length > room ? detached(text.slice(0, room)) : text;
    this.#characters += kept.length;
    this.#leftOut += text.length - kept.length;
    return kept;
  }
}

/** The plain text of a bundle, and the names of its other types. */
function partsOf({ data }: MimeBundle): Pick<Shown, "text" | "mimeTypes"> {
  const { "text/plain": plain, ...others } = data;
  const text = typeof plain === "string" ? plain : Array.isArray(plain) ? plain.join("") : "";
  const names = Object.keys(others).slice(0, maxMimeTypes);
  return { text, mimeTypes: names.map((name) => detached(name.slice(0, 100))) };
}

/** The picture of a bundle, unless it is too large to be returned. */
function pictureIn({ data }: MimeBundle): Picture | undefined {
  const given = pictureTypes.map((name) => data[name]).find((one) => typeof one === "string");
  const picture = typeof given === "string" && given.length <= maxPictureCharacters ? pictureFrom(given) : undefined;
  return picture === undefined ? undefined : { ...picture, data: detached(picture.data) };
}
