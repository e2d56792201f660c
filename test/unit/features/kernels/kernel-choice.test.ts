import assert from "node:assert/strict";
import { type NotebookDocument, Uri, window } from "vscode";
import type { KernelSpec } from "../../../../src/api/kernels/models.ts";
import { changeKernel, choiceItems } from "../../../../src/features/kernels/commands/kernel-choice.ts";
import { kernelLogos } from "../../../../src/features/kernels/commands/kernel-logos.ts";
import { WorkspaceKernels } from "../../../../src/features/kernels/controllers/workspace-kernels.ts";
import type { NotebookKernels } from "../../../../src/features/kernels/notebook-kernels.ts";

const specOf = (name: string): KernelSpec => ({ name, displayName: `The ${name}`, language: name, logoFile: "l.png" });

describe("the choice of a kernel", () => {
  it("shows the logos of kernels, or an icon for kernels without one", async () => {
    const specs = ["python", "bash", "ir"].map(specOf);
    const logo = async ({ name }: KernelSpec): Promise<Uint8Array | undefined> => {
      if (name === "ir") {
        throw new Error("no answer");
      }
      return name === "python" ? Buffer.from([0xfb, 0xef, 0xff]) : undefined;
    };
    const logos = await kernelLogos({ logo }, specs);
    const kernel = { id: "k", specName: "bash", executionState: "idle", connections: 0, lastActivity: undefined };
    const sessions = [{ id: "s", path: "a.ipynb", name: "", type: "notebook", kernel }];
    const items = choiceItems("a.ipynb", { specs, running: [kernel], sessions, logos });
    const icons = items.map(({ iconPath }) =>
      iconPath !== undefined && "id" in iconPath ? iconPath.id : iconPath?.toString(),
    );
    assert.deepEqual(
      items.map(({ label }) => label),
      ["Running for this notebook", "The bash", "Start a new kernel", "The python", "The bash", "The ir"],
    );
    assert.deepEqual(icons.slice(0, 3), [undefined, "vm-active", undefined]);
    assert.equal(logos.get("python")?.toString(true), "data:image/png;base64,++//");
    assert.deepEqual(icons.slice(3), [logos.get("python")?.toString(), "vm", "vm"]);
  });

  it("shows the list while the server is queried, and reports afterward if there are no kernels", async () => {
    const { requireKernels } = WorkspaceKernels.prototype;
    const shown = Promise.withResolvers<void>();
    const discover = async (): Promise<boolean> => {
      await shown.promise;
      return false;
    };
    const kernels = {
      kernelOf: () => ({ workspace: { name: "Sales forecasting", discover, requireKernels } }),
    } as unknown as NotebookKernels;
    const notebook = {
      uri: Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/a.ipynb" }),
    } as NotebookDocument;
    const original = window.showQuickPick;
    Reflect.set(window, "showQuickPick", async (items: Promise<unknown>) => {
      shown.resolve();
      await items.catch(() => {});
      return undefined;
    });
    try {
      await assert.rejects(changeKernel(kernels, notebook), /Sales forecasting can't run notebooks/);
    } finally {
      Reflect.set(window, "showQuickPick", original);
    }
  });
});
