import type * as vscode from "vscode";
import { designsTree } from "../features/designs/tree.ts";
import { pagesTree } from "../features/pages/tree.ts";
import { sandboxTree } from "../features/sandbox/tree.ts";
import { workflowsTree } from "../features/workflows/tree.ts";
import { type WorkspacesViewParts, workspacesTree, workspaceTreeRow } from "../features/workspaces/tree.ts";
import type { TreeDefinition, TreeRow, ViewName } from "../ui/tree/definition.ts";
import type { TreeElement } from "../ui/tree/elements.ts";
import { PlatformTree } from "../ui/tree/platform-tree.ts";

/** The views as the editor has them; what they show is made here, with the first that comes in sight. */
export type TreeViews = Readonly<Record<ViewName, vscode.TreeView<TreeElement>>>;

/** The trees of the Platform container, by their names. */
export type PlatformTrees = Readonly<Record<ViewName, PlatformTree<TreeRow>>>;

/** Makes the trees of all views. */
export function createTrees(views: TreeViews, parts: WorkspacesViewParts): PlatformTrees & vscode.Disposable {
  const tree = <Row extends TreeRow>(definition: TreeDefinition<Row>): PlatformTree<Row> =>
    new PlatformTree(definition, views[definition.view] as vscode.TreeView<TreeElement<Row>>, parts);
  const workspaces = tree(workspacesTree(parts));
  const lifecycle = parts.lifecycle.onDidChangeState(({ tenantId, workspaceId, workspace }) => {
    const row = workspaces.row(tenantId, `workspace/${workspaceId}`);
    if (row !== undefined) {
      workspaces.replace(workspace === undefined ? row : workspaceTreeRow(tenantId, workspace));
    }
  });
  const trees = {
    workspaces,
    designs: tree(designsTree(parts)),
    pages: tree(pagesTree(parts)),
    sandbox: tree(sandboxTree(parts)),
    workflows: tree(workflowsTree(parts)),
  };
  return {
    ...trees,
    dispose() {
      lifecycle.dispose();
      for (const one of Object.values(trees)) {
        one.dispose();
      }
    },
  };
}
