import * as vscode from "vscode";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import type { NoticeNode } from "./variable-items.ts";

/** Why a notebook's variables can't be shown; undefined if they can. */
export function obstacleOf(kernel: OpenKernel | undefined): NoticeNode | undefined {
  if (kernel !== undefined && kernel.language !== "python") {
    const text = vscode.l10n.t(
      "Variables are shown for Python. The kernel of this notebook is for {0}.",
      kernel.language,
    );
    return { type: "notice", text, icon: "info" };
  }
  if (kernel?.isFollowing === true) {
    const text = vscode.l10n.t(
      "Another window runs this notebook and can show its variables. To show them here, run a cell and take over the kernel.",
    );
    return { type: "notice", text, icon: "info" };
  }
  const ends: readonly (string | undefined)[] = ["kernelDead", "disposed"];
  if (kernel?.connection === undefined || ends.includes(kernel.connection.state.type)) {
    return {
      type: "notice",
      text: vscode.l10n.t("No kernel is running. Run a cell to start one."),
      icon: "info",
      ...(kernel === undefined
        ? {}
        : {
            action: {
              label: vscode.l10n.t("Select to start it now"),
              command: "platformWorkbench.startKernelForVariables",
            },
          }),
    };
  }
  return undefined;
}
