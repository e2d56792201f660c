import * as vscode from "vscode";
import { displayedTooltip } from "../api/displayed-text.ts";

/** Buttons, optionally preceded by the options of a dialog. */
type Choices = readonly string[] | readonly [vscode.MessageOptions, ...string[]];

/**
 * Shows a notification or, with `modal`, a dialog. Resolves with the chosen button. All messages of the extension go
 * through this module, so that text from a server never becomes a link.
 */
export function showInformation(text: string, ...choices: Choices): Thenable<string | undefined> {
  return show(vscode.window.showInformationMessage, text, choices);
}

/** Like `showInformation`, but for a warning. */
export function showWarning(text: string, ...choices: Choices): Thenable<string | undefined> {
  return show(vscode.window.showWarningMessage, text, choices);
}

/** Like `showInformation`, but for an error. */
export function showError(text: string, ...choices: Choices): Thenable<string | undefined> {
  return show(vscode.window.showErrorMessage, text, choices);
}

/**
 * Removes links from a text, shortens it if it is very long, and escapes characters that could change what the rest of it
 * seems to say. In messages, progress titles, and the prompts of input boxes, the editor renders `[label](address)` as a
 * link, which can also run a command.
 */
export function withoutLinks(text: string): string {
  return displayedTooltip(text).replaceAll("](", "] (");
}

function show(
  display: typeof vscode.window.showErrorMessage,
  text: string,
  [first, ...others]: Choices,
): Thenable<string | undefined> {
  const message = withoutLinks(text);
  const buttons = others.filter((button) => typeof button === "string");
  if (typeof first !== "object") {
    return display(message, ...(first === undefined ? [] : [first]), ...buttons);
  }
  const { detail } = first;
  return display(message, detail === undefined ? first : { ...first, detail: withoutLinks(detail) }, ...buttons);
}
