import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { projectDirectory } from "../set-up/paths.ts";
import { failure, type Outcome, onePassed } from "./outcome.ts";

/** State of modules that contains nothing of a tenant, by file and name, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ["src/api/turns.ts last", "When the process last handled other work."],
  ["src/extension.ts end", "Set while the extension is active."],
  ["src/file-system/merge/merge-results.ts results", "Registers the documents of merge results, which expire."],
  [
    "src/file-system/merge/save-questions.ts saveQuestions",
    "Questions about open documents, removed with the question.",
  ],
  ["src/file-system/merge/unresolved-conflicts.ts agreed", "A number of conflicts during one save."],
  [
    "src/file-system/merge/unresolved-conflicts.ts merged",
    "Open documents with conflicts, removed when they are closed.",
  ],
  ["src/file-system/read/notebook-messages.ts shown", "Which message is on the screen."],
  ["src/file-system/session/window-session.ts running", "The sessions of this process."],
  ["src/file-system/versions/unsaved-copies.ts swept", "Directories of this computer."],
  ["src/programs/front-door/mcp/all-tools.ts all", "The same tools for every caller."],
  ["src/programs/front-door/mcp/run-cell-tool.ts running", "Users with a running cell, removed when it ends."],
  ["src/ui/quick-input/secret-input.ts hasWarned", "Whether this window has warned about the editor's secret storage."],
  ["src/ui/webview/webview-panels.ts openPanels", "Open panels, which close at the sign-out."],
]);

const collections: ReadonlySet<string> = new Set(["Map", "Set", "LRUCache"]);

/**
 * Checks that no module has variables or empty collections: they would outlive the account whose data they hold. Such
 * state belongs to an object that ends, for example to the scope of an account. Weak collections end with their keys.
 */
export function checkModuleState(title: string): Outcome {
  const started = Date.now();
  const unused = new Set(exceptions.keys());
  const findings = globSync("src/**/*.ts", { cwd: projectDirectory })
    .map((file) => file.replaceAll("\\", "/"))
    // A page of a webview ends with its panel.
    .filter((file) => !file.includes("/browser/"))
    .toSorted()
    .flatMap((file) => stateIn(file).map((name) => `${file} ${name}`))
    .filter((entry) => !unused.delete(entry));
  findings.push(...[...unused].map((entry) => `an unused exception: ${entry}`));
  if (findings.length > 0) return failure(title, "modules with state", findings.join("\n"));
  console.log(`${title}: nothing found (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return onePassed;
}

/** The names of a file's variables and empty collections at the top level. */
function stateIn(file: string): readonly string[] {
  const text = readFileSync(join(projectDirectory, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const isVariable = (declarationList.flags & ts.NodeFlags.Const) === 0;
    return declarationList.declarations
      .filter(({ initializer }) => isVariable || isEmptyCollection(initializer))
      .map(({ name }) => name.getText(source));
  });
}

function isEmptyCollection(value: ts.Expression | undefined): boolean {
  return (
    value !== undefined &&
    ts.isNewExpression(value) &&
    ts.isIdentifier(value.expression) &&
    collections.has(value.expression.text) &&
    (value.arguments?.length ?? 0) === 0
  );
}
