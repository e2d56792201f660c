import * as vscode from "vscode";
import { withoutLinks } from "../../tenants/messages.ts";
import type { InputEnd } from "./show-input.ts";

/** The result of parsing typed text: a value with an optional remark, or the reason why it is invalid. */
export type ParsedText<Value> =
  | { readonly valid: true; readonly value: Value; readonly remark?: string }
  | { readonly valid: false; readonly reason: string };

/** The result of checking text with the server: a value, or the server's reason why it is invalid. */
export type TextCheck<Value> =
  | { readonly accepted: true; readonly value: Value }
  /** `anyway` is a value that the user can accept by pressing Enter again; `again` says so, if it isn't what was typed. */
  | { readonly accepted: false; readonly reason: string; readonly anyway?: Value; readonly again?: string };

export interface CheckedTextOptions<Typed, Value> {
  readonly prompt: string;
  /** True to keep the prompt visible next to each message, because it explains what to enter. */
  readonly keepsPrompt?: boolean;
  /** Buttons of the title bar next to Back. */
  readonly buttons?: readonly InputButton[];
  /** Parses the trimmed text while it is typed, without a request. */
  readonly read: (text: string) => ParsedText<Typed>;
  /** Tests the entered value with a real request. Errors that it throws close the box. */
  readonly check: (typed: Typed, signal: AbortSignal) => Promise<TextCheck<Value>>;
}

export interface InputButton extends vscode.QuickInputButton {
  readonly run: () => unknown;
}

/** An accepted text and its value. */
export interface CheckedText<Value> {
  readonly value: Value;
  readonly text: string;
}

/** Keeps an input box open until its text has been tested and accepted. Typing or closing the box cancels the test. */
export function listenForChecked<Typed, Value>(
  input: vscode.InputBox,
  { prompt, keepsPrompt = false, buttons = [], read, check }: CheckedTextOptions<Typed, Value>,
  { signal, finish, fail }: Pick<InputEnd<CheckedText<Value>>, "signal" | "finish" | "fail">,
): void {
  let running: AbortController | undefined;
  let refused: CheckedText<Value> | undefined;
  const say = (message: string | undefined, severity = vscode.InputBoxValidationSeverity.Error): void => {
    const whole = keepsPrompt ? `${message} ${prompt}` : (message ?? "");
    input.validationMessage = message === undefined ? undefined : { message: withoutLinks(whole), severity };
  };
  const sayReading = (reading: ParsedText<Typed>): void => {
    if (reading.valid) {
      say(reading.remark, vscode.InputBoxValidationSeverity.Info);
    } else {
      say(reading.reason);
    }
  };
  const stop = (): void => {
    running?.abort();
    running = undefined;
    input.busy = false;
  };
  const attempt = async (text: string, typed: Typed, own: AbortController): Promise<void> => {
    try {
      const result = await check(typed, own.signal);
      if (own.signal.aborted) {
        return;
      }
      stop();
      if (result.accepted) {
        finish({ value: result.value, text });
        return;
      }
      const { anyway, reason, again = vscode.l10n.t("Press Enter again to continue anyway.") } = result;
      refused = anyway === undefined ? undefined : { value: anyway, text };
      say(
        refused === undefined ? reason : `${reason} ${again}`,
        refused === undefined ? vscode.InputBoxValidationSeverity.Error : vscode.InputBoxValidationSeverity.Warning,
      );
    } catch (error) {
      if (!own.signal.aborted) {
        stop();
        fail(error);
      }
    }
  };
  signal.addEventListener("abort", () => running?.abort(), { once: true });
  input.onDidChangeValue((value) => {
    stop();
    refused = undefined;
    const text = value.trim();
    if (text === "") {
      say(undefined);
    } else {
      sayReading(read(text));
    }
  });
  input.onDidTriggerButton((button) => buttons.find((own) => own === button)?.run());
  input.onDidAccept(() => {
    const text = input.value.trim();
    if (running !== undefined) {
      return;
    }
    if (refused?.text === text) {
      finish(refused);
      return;
    }
    const reading = read(text);
    sayReading(reading);
    if (reading.valid) {
      running = new AbortController();
      input.busy = true;
      void attempt(text, reading.value, running);
    }
  });
}
