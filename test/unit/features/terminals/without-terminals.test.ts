import assert from "node:assert/strict";
import { TerminalServer } from "../../../../src/api/terminals/terminal-server.ts";
import { terminalCommands } from "../../../../src/features/terminals/handlers.ts";
import type { TerminalServices } from "../../../../src/features/terminals/terminal-services.ts";
import type { WorkspaceTerminals } from "../../../../src/features/terminals/workspace-terminals.ts";
import { fakePlatform, html } from "../../api/fake-platform.ts";

describe("the terminal commands for a content server without terminals", () => {
  const { content } = fakePlatform(() => html(404));
  const server = new TerminalServer(async () => content);
  const terminals = { serverOf: () => server } as unknown as WorkspaceTerminals;
  const connections = { nameOf: () => "Sales", tenant: () => ({}) };
  const commands = terminalCommands(terminals, { connections } as unknown as TerminalServices);

  for (const id of ["openTerminal", "attachTerminal", "endTerminal"] as const) {
    it(`say so in one sentence: ${id}`, async () => {
      const run = { setErrorContext: () => {} };
      const workspace = { tenantId: "tenant", workspaceId: "workspace" };
      await assert.rejects(async () => commands[`platformWorkbench.${id}`](run, workspace, []), {
        message: "The content server of Sales has no terminals. Use Run Selection in Kernel instead.",
      });
    });
  }
});
