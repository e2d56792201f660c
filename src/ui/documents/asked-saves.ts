import * as vscode from "vscode";
import { showWarning } from "../../tenants/messages.ts";
import { changeLines } from "./json-changes.ts";
import { type FieldChange, parseJsonBody, sameJson } from "./json-object.ts";
import { SaveReasons } from "./save-reasons.ts";

/**
 * Thrown if the user declines to send a document. Its changes stay in the editor, and commands end without a message.
 */
export class DeclinedSave extends vscode.CancellationError {
  constructor(message: string) {
    super();
    this.message = message;
  }
}

/** The work that remains after the user agreed to send a document. */
export interface AgreedSave {
  send(): Promise<void>;
  /** Called when the editor has saved the document, or is about to. */
  onSaved(): void;
}

/** For a document that is unchanged compared to the platform. */
export const nothingToSend: AgreedSave = { send: async () => {}, onSaved: () => {} };

interface SendQuestion {
  readonly question: string;
  readonly detail: readonly string[];
  /** The button that agrees. */
  readonly send: string;
  /** The message if the user declines. */
  readonly declined: string;
}

/** Asks whether to send a document. Throws a DeclinedSave if the user declines. */
export async function askToSend({ question, detail, send, declined }: SendQuestion): Promise<void> {
  if ((await showWarning(question, { modal: true, detail: detail.join("\n") }, send)) !== send) {
    throw new DeclinedSave(declined);
  }
}

/**
 * The changes on the platform, and those by someone else since the user read the document, which sending replaces.
 * `meanwhile` is undefined if the version that the user read is no longer known.
 */
export function changesToSend(
  changes: readonly FieldChange[],
  meanwhile: readonly FieldChange[] | undefined,
): Pick<SendQuestion, "detail" | "send"> {
  const lines = (some: readonly FieldChange[]): readonly string[] =>
    changeLines(some, (count) => vscode.l10n.t("and {0} more", count));
  if (meanwhile?.length === 0) {
    return { detail: lines(changes), send: vscode.l10n.t("Send") };
  }
  const others =
    meanwhile === undefined
      ? [vscode.l10n.t("The version that your changes are based on is no longer available. Compare before you send.")]
      : [
          vscode.l10n.t(
            "Someone else has changed it since you opened it. Sending your version replaces these changes:",
          ),
          ...lines(meanwhile),
        ];
  return { detail: [...lines(changes), "", ...others], send: vscode.l10n.t("Send Anyway") };
}

/** Checks the text of a document and asks whether to send it. Throws with the reason if it can't or must not be sent. */
type Ask = (text: string) => Promise<AgreedSave>;

/**
 * Sends documents that ask before they are sent. A file system can't cancel a save, so if the user declines during the
 * editor's own save, the editor reports an error. Commands therefore ask and send first, then save.
 */
export class AskedSaves implements vscode.Disposable {
  readonly #reasons = new SaveReasons();
  readonly #sent = new Map<string, string>();

  /**
   * Asks, sends the document, and saves it. Throws the errors of `ask` and of sending, and leaves the document unsaved.
   */
  async send(uri: vscode.Uri, ask: Ask): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    if (!document.isDirty) {
      vscode.window.setStatusBarMessage(vscode.l10n.t("No changes to send"), 3000);
      return;
    }
    const text = document.getText();
    const agreed = await ask(text);
    await agreed.send();
    const key = uri.toString();
    this.#sent.set(key, text);
    try {
      await document.save();
    } finally {
      this.#sent.delete(key);
      agreed.onSaved();
    }
  }

  /** Writes a document that the editor saves: asks and sends it, unless `send` just did. Refuses automatic saves. */
  async write(uri: vscode.Uri, title: string, text: string, ask: Ask): Promise<void> {
    if (this.#isSent(uri, text)) {
      return;
    }
    this.#reasons.refuseAutomatic(uri, title);
    const agreed = await ask(text);
    await agreed.send();
    agreed.onSaved();
  }

  dispose(): void {
    this.#reasons.dispose();
  }

  /** True if the text being saved was just sent. Formatting on save may have changed the white space. */
  #isSent(uri: vscode.Uri, text: string): boolean {
    const sent = this.#sent.get(uri.toString());
    return sent !== undefined && (sent === text || isSameBody(sent, text));
  }
}

function isSameBody(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => parseJsonBody(text, vscode.l10n.t));
  return first?.valid === true && second?.valid === true && sameJson(first.value, second.value);
}
