import * as vscode from "vscode";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import type { ResourceType } from "./resource.ts";

/** The codicon of each type of resource without a state. */
export const resourceIcons: Readonly<Record<ResourceType, string>> = {
  workspace: "vm",
  design: "symbol-color",
  designVersion: "tag",
  page: "browser",
  collection: "library",
  filterView: "filter",
  repository: "repo",
  commit: "git-commit",
  commitRequest: "git-pull-request",
  promotion: "rocket",
  deployment: "cloud",
  workflow: "type-hierarchy",
  workflowVersion: "tag",
  execution: "run-all",
  trigger: "watch",
  card: "graph",
  user: "person",
  dataset: "table",
  datasetQuery: "table",
  startForm: "checklist",
  attachedTriggers: "zap",
  functionPackage: "package",
  packageVersion: "tag",
  studioApp: "preview",
  notebookSettings: "settings",
};

/** The icon of a remote file in lists of the extension. */
export function fileIcon(path: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(isNotebookPath(path) ? "notebook" : "file");
}
