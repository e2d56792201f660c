import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import { listMembers } from "../../api/companion/operations/variables.ts";
import { signalOf } from "../../ui/commands/cancellation.ts";
import type { LanguageServices } from "./language-services.ts";

/** Milliseconds beyond which a completion doesn't wait for the kernel. */
const maxWaitMs = 150;
/** Characters before the cursor in which the expression is looked for. */
const maxExpressionLength = 200;
const partOfName = /\p{ID_Continue}/u;

/** Names that a kernel has added, and the part of the line that they replace. */
interface LiveMembers {
  readonly members: readonly { readonly name: string; readonly type: string }[];
  /** Number of UTF-16 units before the position. */
  readonly replaced: number;
}

const none: LiveMembers = { members: [], replaced: 0 };

/**
 * What the value before the cursor has in the notebook's kernel, such as the columns of a frame. Empty without a
 * connection, if the kernel is slow or can't tell, and for any other document. Never rejects, starts no kernel.
 */
export async function liveMembers(
  openKernels: Pick<LanguageServices["openKernels"], "find">,
  document: vscode.TextDocument,
  before: string,
  token: vscode.CancellationToken,
): Promise<LiveMembers> {
  const asked = askedIn(before.slice(-maxExpressionLength));
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some((cell) => cell.document.uri.toString() === document.uri.toString()),
  );
  const kernel = notebook && openKernels.find(notebook);
  if (asked === undefined || kernel?.connection?.state.type !== "connected" || kernel.isFollowing) {
    return none;
  }
  const { expression, kind, typed } = asked;
  const ask = async (): Promise<LiveMembers> => {
    const program = await kernel.program();
    const signal = AbortSignal.any([signalOf(token), AbortSignal.timeout(maxWaitMs)]);
    const { members } = await program.request(listMembers, { expression, kind }, { signal });
    return { members, replaced: typed.length };
  };
  return Promise.race([ask().catch(() => none), delay(maxWaitMs, none)]);
}

interface Asked {
  readonly expression: string;
  readonly kind: "attribute" | "key";
  readonly typed: string;
}

/** The expression before a dot, or before an open text in brackets, at the end of a line. */
function askedIn(before: string): Asked | undefined {
  let start = before.length;
  while (start > 0 && partOfName.test(before.charAt(start - 1))) {
    start -= 1;
  }
  const typed = before.slice(start);
  const rest = before.slice(0, start);
  const [end, kind] = rest.endsWith(".")
    ? ([1, "attribute"] as const)
    : rest.endsWith('["') || rest.endsWith("['")
      ? ([2, "key"] as const)
      : ([0, "key"] as const);
  const expression = end === 0 ? "" : expressionAtEnd(rest.slice(0, -end));
  return expression === "" ? undefined : { expression, kind, typed };
}

/** Names, attributes, and constant keys without spaces: `frame["month"].values`. */
function expressionAtEnd(text: string): string {
  let start = text.length;
  while (start > 0) {
    const character = text.charAt(start - 1);
    if (character === "]") {
      const open = text.lastIndexOf("[", start - 1);
      if (open < 0 || !/^(?:"[^"\\]*"|'[^'\\]*'|\d+)$/.test(text.slice(open + 1, start - 1))) {
        break;
      }
      start = open;
    } else if (character === "." || partOfName.test(character)) {
      start -= 1;
    } else {
      break;
    }
  }
  const expression = text.slice(start);
  return /^[\p{ID_Start}_]/u.test(expression) ? expression : "";
}
