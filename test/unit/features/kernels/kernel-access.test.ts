import assert from "node:assert/strict";
import type { NotebookDocument } from "vscode";
import { KernelAccess } from "../../../../src/features/kernels/kernel-access.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import type { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import type { SecretChange } from "../../../../src/tenants/tenant-secrets.ts";
import { EventEmitter } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

/** A kernel of a workspace, which records what is done to it. */
function kernelIn(tenantId: string, workspaceId: string, log: string[], isConnected: boolean): NotebookKernel {
  const name = `${tenantId}/${workspaceId}`;
  return {
    notebook: { name } as unknown as NotebookDocument,
    controller: { address: { tenantId, workspaceId } },
    hasLeft: !isConnected,
    connection: isConnected ? { retry: () => log.push(`retry ${name}`) } : undefined,
    leave: () => log.push(`leave ${name}`),
  } as unknown as NotebookKernel;
}

describe("access to the kernels of open notebooks", () => {
  let changed: EventEmitter<SecretChange>;
  let signedOut: EventEmitter<string>;
  let states: EventEmitter<unknown>;
  let tokens: Set<string>;
  let log: string[];
  let access: { dispose(): void };

  beforeEach(() => {
    [changed, signedOut, states] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
    [tokens, log] = [new Set(), []];
    const kernels = [
      kernelIn("one", "sales", log, true),
      kernelIn("one", "stock", log, false),
      kernelIn("two", "sales", log, true),
    ];
    const nameOf = (notebook: NotebookDocument): string => String(Reflect.get(notebook, "name"));
    const owner = {
      all: kernels,
      resetSupport: () => void log.push("available"),
      signedOut: (tenantId: string) => void log.push(`removed ${tenantId}`),
      offerToUntitled: async () => {},
      opened: async (notebook: NotebookDocument) => void log.push(`returned ${nameOf(notebook)}`),
    };
    const services = {
      secrets: {
        onDidChange: changed.event,
        onDidSignOut: signedOut.event,
        notebookToken: async (tenantId: string, workspaceId: string) =>
          tokens.has(`${tenantId}/${workspaceId}`) ? {} : undefined,
      },
      lifecycle: { onDidChangeState: states.event },
      log: { error: (line: string) => assert.fail(line) },
    };
    access = new KernelAccess(owner, services as unknown as KernelServices);
  });
  afterEach(() => access.dispose());

  it("leaves all kernels of a tenant at once when the user signs out", () => {
    signedOut.fire("one");
    assert.deepEqual(log, ["leave one/sales", "leave one/stock", "removed one"]);
  });

  it("leaves the kernels of a workspace whose token was removed", async () => {
    changed.fire({ tenantId: "one", workspaceId: "sales" });
    await until("the end", () => log.includes("leave one/sales"));
    assert.deepEqual(log, ["available", "retry one/sales", "leave one/sales"]);
  });

  it("connects again after a token was entered", async () => {
    tokens.add("one/stock");
    changed.fire({ tenantId: "one", workspaceId: "stock" });
    await until("the notebook", () => log.includes("returned one/stock"));
    assert.deepEqual(log, ["available", "returned one/stock"]);
  });

  it("tries again when a workspace was started, but not when it was stopped", () => {
    states.fire({ state: "stopped", tenantId: "two", workspaceId: "sales" });
    states.fire({ state: "started", tenantId: "two", workspaceId: "sales" });
    assert.deepEqual(log, ["available", "retry two/sales"]);
  });
});
