import * as vscode from "vscode";
import { withoutLinks } from "../../tenants/messages.ts";
import { type CheckedTextOptions, listenForChecked, type ParsedText } from "./checked-text.ts";
import { displayedItem } from "./displayed-items.ts";
import { type InputEnd, showInput } from "./show-input.ts";
import { type Back, back, type Question, type StepPlace, type StepResult } from "./wizard.ts";

export type { ParsedText } from "./checked-text.ts";

interface BoxOptions {
  /** Replaces the wizard's title. */
  readonly title?: string;
  readonly prompt: string;
  readonly placeholder: string;
  /** The initial text. */
  readonly initial?: string;
}

interface TextOptions<Value> extends BoxOptions {
  /** Parses the trimmed text while it is typed, without a request. */
  readonly read: (text: string) => ParsedText<Value>;
}

interface CheckedOptions<Typed, Value> extends BoxOptions, CheckedTextOptions<Typed, Value> {
  /** True to show the text as dots. */
  readonly isSecret?: boolean;
}

type ChoiceItem<Value> = vscode.QuickPickItem & { readonly value: Value };

export interface ChoiceOptions<Value> {
  readonly placeholder: string;
  readonly items: readonly ChoiceItem<Value>[];
  /** The initially active item. The first one if undefined or not in the list. */
  readonly initial?: Value | undefined;
}

export interface SeveralOptions<Value> {
  readonly placeholder: string;
  readonly items: readonly ChoiceItem<Value>[];
  /** The initially selected items. */
  readonly initial: readonly Value[];
  readonly canBeNone?: boolean;
}

/** Asks for text that is parsed while it is typed. */
export function text<Form, Value>(optionsFor: (form: Form) => TextOptions<Value>): Question<Form, Value> {
  let last: string | undefined;
  return async (form, place) => {
    const { initial = "", ...options } = optionsFor(form);
    const result = await askText(place, { ...options, initial: last ?? initial });
    last = result.type === "next" ? result.text : last;
    return result;
  };
}

/** Asks for text and tests it with a request after it is entered. The box stays open until the text is accepted. */
export function checkedText<Form, Typed, Value>(
  optionsFor: (form: Form) => CheckedOptions<Typed, Value>,
): Question<Form, Value> {
  let last: string | undefined;
  return async (form, place) => {
    const { initial = "", isSecret = false, ...options } = optionsFor(form);
    const input = textBox({ ...options, initial: last ?? initial });
    input.password = isSecret;
    const shown = { ...place, title: options.title ?? place.title };
    const result = await showStep<TextResult<Value>>(
      input,
      shown,
      (end) =>
        listenForChecked(input, options, {
          ...end,
          finish: ({ value, text }) => end.finish({ type: "next", value, text }),
        }),
      options.buttons,
    );
    last = result.type === "next" ? result.text : last;
    return result;
  };
}

/** Asks for one of several choices. */
export function choice<Form, Value>(optionsFor: (form: Form) => ChoiceOptions<Value>): Question<Form, Value> {
  let last: Value | undefined;
  return async (form, place) => {
    const { initial, ...options } = optionsFor(form);
    const result = await askChoice(place, { ...options, initial: last ?? initial });
    last = result.type === "next" ? result.value : last;
    return result;
  };
}

/** Asks for any number of several choices. */
export function several<Form, Value>(
  optionsFor: (form: Form) => SeveralOptions<Value>,
): Question<Form, readonly Value[]> {
  let last: readonly Value[] | undefined;
  return async (form, place) => {
    const { initial, ...options } = optionsFor(form);
    const result = await askSeveral(place, { ...options, initial: last ?? initial });
    last = result.type === "next" ? result.value : last;
    return result;
  };
}

/** Parses text that must not be empty. */
export function required(reason: string): (text: string) => ParsedText<string> {
  return (value) => (value === "" ? { valid: false, reason } : { valid: true, value });
}

/** Parses any text, including empty text. */
export function anyText(value: string): ParsedText<string> {
  return { valid: true, value };
}

interface TextResult<Value> extends StepResult<Value> {
  readonly text: string;
}

/** Asks for text once, as a step. */
export function askText<Value>(
  place: StepPlace,
  { title = place.title, prompt, placeholder, initial = "", read }: TextOptions<Value>,
): Promise<TextResult<Value> | Back> {
  const input = textBox({ prompt, placeholder, initial });
  return showStep<TextResult<Value>>(input, { ...place, title }, ({ finish }) => {
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

function textBox({ prompt, placeholder, initial = "" }: Omit<BoxOptions, "title">): vscode.InputBox {
  const input = vscode.window.createInputBox();
  input.prompt = withoutLinks(prompt);
  input.placeholder = placeholder;
  input.value = initial;
  return input;
}

function messageOf(reading: ParsedText<unknown>): string | vscode.InputBoxValidationMessage | undefined {
  if (!reading.valid) {
    return withoutLinks(reading.reason);
  }
  return reading.remark === undefined
    ? undefined
    : { message: withoutLinks(reading.remark), severity: vscode.InputBoxValidationSeverity.Info };
}

/** Asks for a choice once, as a step. */
export function askChoice<Value>(
  place: StepPlace,
  { placeholder, items, initial }: ChoiceOptions<Value>,
): Promise<StepResult<Value> | Back> {
  const pick = vscode.window.createQuickPick<ChoiceItem<Value>>();
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  const shown = items.map((item) => displayedItem(item));
  pick.items = shown;
  const active = shown.filter(({ value }) => initial !== undefined && value === initial);
  // The editor itself selects the first item.
  if (active.length > 0) {
    pick.activeItems = active;
  }
  return showStep<StepResult<Value>>(pick, place, ({ finish }) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        finish({ type: "next", value: chosen.value });
      }
    });
  });
}

/** Asks for any number of several choices once, as a step. */
export function askSeveral<Value>(
  place: StepPlace,
  { placeholder, items, initial, canBeNone = false }: SeveralOptions<Value>,
): Promise<StepResult<readonly Value[]> | Back> {
  const pick = vscode.window.createQuickPick<ChoiceItem<Value>>();
  pick.placeholder = placeholder;
  pick.canSelectMany = true;
  const shown = items.map((item) => displayedItem(item));
  pick.items = shown;
  pick.selectedItems = shown.filter(({ value }) => initial.includes(value));
  return showStep<StepResult<readonly Value[]>>(pick, place, ({ finish }) => {
    pick.onDidAccept(() => {
      if (canBeNone || pick.selectedItems.length > 0) {
        finish({ type: "next", value: pick.selectedItems.map(({ value }) => value) });
      }
    });
  });
}

function showStep<Result>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, totalSteps, canGoBack }: StepPlace,
  listen: (end: InputEnd<Result>) => void,
  buttons: readonly vscode.QuickInputButton[] = [],
): Promise<Result | Back> {
  input.title = title;
  if (totalSteps > 1) {
    input.step = step;
    input.totalSteps = totalSteps;
  }
  input.ignoreFocusOut = true;
  input.buttons = [...(canGoBack ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  return showInput<Result | Back>(input, (end) => {
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) {
        end.finish(back);
      }
    });
    listen(end);
  });
}
