import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { onOneLine } from "../../api/displayed-text.ts";
import { shortened } from "../../api/text.ts";
import { showWarning } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { FileError } from "../errors.ts";
import { droppedAttachments } from "../write/dropped-attachments.ts";

/** Maximum number of names that the question lists, and their maximum length. */
const maxNames = 10;
const maxLength = 100;

/** Asks before a notebook is saved without attachments that its cells still show. */
export class AttachmentQuestions {
  /** The names that the user agreed to lose, by the URI of the notebook. */
  readonly #agreed = new Map<string, ReadonlySet<string>>();

  /** Throws a FileError if the user declines. Asks once for the same names of a notebook. */
  async ask(uri: vscode.Uri, before: Uint8Array, after: Uint8Array): Promise<void> {
    const key = uri.toString();
    const agreed = this.#agreed.get(key) ?? new Set();
    const names = droppedAttachments(before, after).filter((name) => !agreed.has(name));
    if (names.length === 0) {
      return;
    }
    const save = vscode.l10n.t("Save Anyway");
    const file = nameOf(addressOf(uri).path);
    const listed = names.slice(0, maxNames).map((name) => onOneLine(shortened(name, maxLength)));
    const more = names.length > maxNames ? [vscode.l10n.t("And {0} more.", names.length - maxNames)] : [];
    const remedy = vscode.l10n.t(
      "The editor keeps an attachment only if its cell shows it as a Markdown image with the same spelling: <attachment:{0}>. To keep it, cancel, undo the last change, and correct the cell.",
      listed[0] ?? "",
    );
    const question =
      names.length === 1
        ? vscode.l10n.t("Save {0} without an attachment that a cell still shows?", file)
        : vscode.l10n.t("Save {0} without {1} attachments that cells still show?", file, names.length);
    const detail = [...listed, ...more, "", remedy].join("\n");
    if ((await showWarning(question, { modal: true, detail }, save)) !== save) {
      throw new FileError(
        "cancelled",
        file,
        vscode.l10n.t("{0} wasn't saved, because the editor would remove attachments: {1}.", file, listed.join(", ")),
      );
    }
    this.#agreed.set(key, new Set([...agreed, ...names]));
  }
}
