import * as vscode from "vscode";
import { showInput } from "./show-input.ts";
import type { Answer, Back, Question, StepPlace } from "./wizard.ts";

/** What a typed text means: a value, with a remark where one helps, or why it cannot be used. */
export type TextReading<Value> =
  | { readonly valid: true; readonly value: Value; readonly remark?: string }
  | { readonly valid: false; readonly reason: string };

interface TextOptions<Value> {
  /** In place of the wizard's. */
  readonly title?: string;
  readonly prompt: string;
  readonly placeholder: string;
  /** What stands there at first. */
  readonly initial?: string;
  /** Reads the text, without spaces around it, while it is typed; no request is made for this. */
  readonly read: (text: string) => TextReading<Value>;
}

type ChoiceItem<Value> = vscode.QuickPickItem & { readonly value: Value };

export interface ChoiceOptions<Value> {
  readonly placeholder: string;
  readonly items: readonly ChoiceItem<Value>[];
  /** What is active at first; where it is undefined or not among the items, the first one. */
  readonly initial?: Value | undefined;
}

export interface SeveralOptions<Value> {
  readonly placeholder: string;
  readonly items: readonly ChoiceItem<Value>[];
  /** What is ticked at first. */
  readonly initial: readonly Value[];
  readonly canBeNone?: boolean;
}

/** Asks for a text, read while it is typed. */
export function text<Form, Value>(optionsFor: (form: Form) => TextOptions<Value>): Question<Form, Value> {
  let last: string | undefined;
  return async (form, place) => {
    const { initial = "", ...options } = optionsFor(form);
    const answer = await askText(place, { ...options, initial: last ?? initial });
    last = answer.type === "next" ? answer.text : last;
    return answer;
  };
}

/** Asks for one of several choices. */
export function choice<Form, Value>(optionsFor: (form: Form) => ChoiceOptions<Value>): Question<Form, Value> {
  let last: Value | undefined;
  return async (form, place) => {
    const { initial, ...options } = optionsFor(form);
    const answer = await askChoice(place, { ...options, initial: last ?? initial });
    last = answer.type === "next" ? answer.value : last;
    return answer;
  };
}

/** Asks for some of several choices. */
export function several<Form, Value>(
  optionsFor: (form: Form) => SeveralOptions<Value>,
): Question<Form, readonly Value[]> {
  let last: readonly Value[] | undefined;
  return async (form, place) => {
    const { initial, ...options } = optionsFor(form);
    const answer = await askSeveral(place, { ...options, initial: last ?? initial });
    last = answer.type === "next" ? answer.value : last;
    return answer;
  };
}

/** Reads a text that must not be empty. */
export function required(reason: string): (text: string) => TextReading<string> {
  return (value) => (value === "" ? { valid: false, reason } : { valid: true, value });
}

/** Reads any text, the empty one too. */
export function anyText(value: string): TextReading<string> {
  return { valid: true, value };
}

interface TextAnswer<Value> extends Answer<Value> {
  readonly text: string;
}

/** Asks for a text once, as a step. */
export function askText<Value, Way extends Back>(
  place: StepPlace<Way>,
  { title = place.title, prompt, placeholder, initial = "", read }: TextOptions<Value>,
): Promise<TextAnswer<Value> | Way> {
  const input = vscode.window.createInputBox();
  input.prompt = prompt;
  input.placeholder = placeholder;
  input.value = initial;
  return showStep<TextAnswer<Value>, Way>(input, { ...place, title }, (finish) => {
    input.onDidChangeValue(() => {
      const typed = input.value.trim();
      input.validationMessage = typed === "" ? undefined : messageOf(read(typed));
    });
    input.onDidAccept(() => {
      const typed = input.value.trim();
      const reading = read(typed);
      input.validationMessage = messageOf(reading);
      if (reading.valid) {
        finish({ type: "next", value: reading.value, text: typed });
      }
    });
  });
}

function messageOf(reading: TextReading<unknown>): string | vscode.InputBoxValidationMessage | undefined {
  if (!reading.valid) {
    return reading.reason;
  }
  return reading.remark === undefined
    ? undefined
    : { message: reading.remark, severity: vscode.InputBoxValidationSeverity.Info };
}

/** Asks for a choice once, as a step. */
export function askChoice<Value, Way extends Back>(
  place: StepPlace<Way>,
  { placeholder, items, initial }: ChoiceOptions<Value>,
): Promise<Answer<Value> | Way> {
  const pick = vscode.window.createQuickPick<ChoiceItem<Value>>();
  pick.placeholder = placeholder;
  pick.items = items;
  const active = items.filter(({ value }) => initial !== undefined && value === initial);
  // The editor's own choice is the first one.
  if (active.length > 0) {
    pick.activeItems = active;
  }
  return showStep<Answer<Value>, Way>(pick, place, (finish) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        finish({ type: "next", value: chosen.value });
      }
    });
  });
}

function askSeveral<Value, Way extends Back>(
  place: StepPlace<Way>,
  { placeholder, items, initial, canBeNone = false }: SeveralOptions<Value>,
): Promise<Answer<readonly Value[]> | Way> {
  const pick = vscode.window.createQuickPick<ChoiceItem<Value>>();
  pick.placeholder = placeholder;
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = items.filter(({ value }) => initial.includes(value));
  return showStep<Answer<readonly Value[]>, Way>(pick, place, (finish) => {
    pick.onDidAccept(() => {
      if (canBeNone || pick.selectedItems.length > 0) {
        finish({ type: "next", value: pick.selectedItems.map(({ value }) => value) });
      }
    });
  });
}

function showStep<Result, Way extends Back>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, totalSteps, ways }: StepPlace<Way>,
  listen: (finish: (result: Result) => void) => void,
): Promise<Result | Way> {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = ways.map(() => vscode.QuickInputButtons.Back);
  return showInput<Result | Way>(input, ({ finish }) => {
    input.onDidTriggerButton((button) => {
      const [way] = ways;
      if (button === vscode.QuickInputButtons.Back && way !== undefined) {
        finish(way);
      }
    });
    listen(finish);
  });
}
