import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { PortLinks } from "../../../../src/features/terminals/port-links.ts";
import type { WorkspaceTerminal } from "../../../../src/features/terminals/workspace-terminal.ts";

describe("addresses of the workspace in a terminal", () => {
  const ours = {} as vscode.Terminal;
  const line = "  Local URL: http://localhost:8501/app.";
  let opened: unknown[];
  let failure: Error | undefined;
  let shown: unknown[];
  const links = new PortLinks(
    (terminal) =>
      terminal === ours
        ? ({ address: { tenantId: "one", workspaceId: "sales", name: "1" } } as WorkspaceTerminal)
        : undefined,
    {
      ports: {
        suggest: async () => {},
        open: async (place, port, url) => {
          if (failure !== undefined) throw failure;
          opened.push([place, port, url.href]);
        },
      },
      showError: async (error) => {
        shown.push(error);
      },
    },
  );

  beforeEach(() => {
    opened = [];
    shown = [];
    failure = undefined;
  });

  it("open the forwarded port", async () => {
    const [link, ...others] = links.provideTerminalLinks({ line, terminal: ours });
    assert.deepEqual(others, []);
    assert.ok(link !== undefined);
    assert.equal(line.slice(link.startIndex, link.startIndex + link.length), "http://localhost:8501/app");
    await links.handleTerminalLink(link);
    assert.deepEqual(opened, [[{ tenantId: "one", workspaceId: "sales" }, 8501, "http://localhost:8501/app"]]);
    failure = new Error("no port is free");
    await links.handleTerminalLink(link);
    assert.deepEqual(shown, [failure]);
  });

  it("are this computer's own in other terminals", () => {
    assert.deepEqual(links.provideTerminalLinks({ line, terminal: {} as vscode.Terminal }), []);
  });
});
