import type { Ending } from "./cell.ts";
import { type Damage, damageOf, strays } from "./judgement.ts";
import type { Operation } from "./operations.ts";
import { isSameTree, type Tree } from "./place.ts";
import type { Cell } from "./strikes.ts";

const head = `# Failure modes and outcomes

Every file system operation with every fault at each of its requests. A proxy between the provider and a real Jupyter Server
causes the faults. Written by \`npm test -- faults\`; a test compares it with the current outcomes.

- **Error**: the error that the editor gets and shows; *nothing* if the operation succeeded anyway.
- **Server state**: *unchanged*, *as requested*, or the names of the files that are left over.
- **Retry**: the result of the same operation after the failure is over.
- A \`.saving-…\` or \`.replaced-…\` file that is left by saving a large file is cleaned up with the next request that the server
  answers, or its name is reported: a complete upload next to the file may be the only copy of someone's changes.
- "once" affects only the first attempt of a request. "and offline" also affects everything after it. All other faults affect
  every attempt.
`;

/** docs/reference/faults.md: the table of faults, operation by operation. */
export function faultsPage(cells: readonly Cell[]): string {
  const operations = [...new Set(cells.map(({ operation }) => operation))];
  const parts = operations.map((operation) => {
    const own = cells.filter((cell) => cell.operation === operation);
    const requests = own[0]?.strike.requests ?? [];
    const rows = requests.flatMap((method, index) => rowsOf(own, index + 1, `${index + 1}. ${method}`));
    const title = operation.name.charAt(0).toUpperCase() + operation.name.slice(1);
    const lines = ["| request | fault | error | server state | retry |", "|---|---|---|---|---|", ...rows];
    return `## ${title}\n\n${requests.length === 1 ? "1 request" : `${requests.length} requests`}: ${requests.join(", ")}\n\n${lines.join("\n")}\n`;
  });
  const worked = cells.filter(({ result }) => result.ending.type === "worked").length;
  const damage = cells.map(({ operation, result }) => damageOf(operation, result));
  const total = (of: keyof Damage): number => damage.reduce((sum, one) => sum + one[of], 0);
  const sum = `${cells.length} cases: ${worked} succeeded, ${cells.length - worked} failed with an error. Lost updates: ${total("lostUpdates")}. Truncated files: ${total("truncatedFiles")}. Wrong FileNotFound: ${total("wrongNotFound")}.\n`;
  return [head, sum, ...parts].join("\n");
}

/** Faults with the same outcome for a request share a row. */
function rowsOf(cells: readonly Cell[], step: number, request: string): readonly string[] {
  const outcomes = cells
    .filter(({ strike }) => strike.step === step)
    .map(({ operation, strike, result }) => ({
      fault: strike.fault.name,
      outcome: [seen(result.ending), state(operation, result.tree), again(operation, result)].map(cellText).join(" | "),
    }));
  return [...Map.groupBy(outcomes, ({ outcome }) => outcome)].map(
    ([outcome, alike]) => `| ${request} | ${alike.map(({ fault }) => fault).join("; ")} | ${outcome} |`,
  );
}

function seen(ending: Ending): string {
  return ending.type === "failed" ? `${ending.code}. ${withoutChance(ending.words)}` : "*nothing*";
}

/** Without details that depend on the run, on when the system notices a failure, and on the status of an injected fault. */
function withoutChance(words: string): string {
  return (
    words
      .replace(/\((ECONNRESET|EPIPE|UND_ERR_\w+)\)/g, "(…)")
      .replace(/made up \d+ \(\d+\)/g, "what the server says (…)")
      // A link has the id of the test's tenant.
      .replace(/\]\(command:[^)]*\)/g, "]")
  );
}

function state(operation: Operation, tree: Tree): string {
  if (isSameTree(tree, operation.after)) return isSameTree(tree, operation.before) ? "*unchanged*" : "*as requested*";
  if (isSameTree(tree, operation.before)) return "*unchanged*";
  const left = strays(operation, tree).map(
    (path) => `\`${path.replace(/\.(replaced|copying|saving)-[0-9a-f]{8}/, ".$1-…")}\``,
  );
  return left.length > 0 ? `left over: ${left.join(", ")}` : "partly changed, as the error says";
}

function again(operation: Operation, { ending, again: end, treeAfterAgain }: Cell["result"]): string {
  if (ending.type === "worked") return "";
  if (end.type === "worked") return "succeeded";
  const done = isSameTree(treeAfterAgain, operation.after) ? " (already done)" : "";
  return end.type === "failed"
    ? `${end.code === "newer" ? "the editor asks: Compare or Overwrite" : end.code}${done}`
    : "";
}

function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
