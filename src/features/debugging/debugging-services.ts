import type * as vscode from "vscode";
import type { OpenKernels } from "../../tenants/open-kernels.ts";

/** The shared parts that debugging needs. */
export interface DebuggingServices {
  readonly openKernels: OpenKernels;
  readonly subscriptions: vscode.Disposable[];
}
