import type * as vscode from "vscode";
import type { OpenKernels } from "../../tenants/open-kernels.ts";

/** The shared parts that the view of variables needs. */
export interface VariablesServices {
  readonly openKernels: OpenKernels;
  readonly subscriptions: vscode.Disposable[];
  /** State that all windows share. */
  readonly state: vscode.Memento;
}
