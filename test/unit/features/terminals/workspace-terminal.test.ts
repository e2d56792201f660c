import assert from "node:assert/strict";
import type { TerminalServices } from "../../../../src/features/terminals/terminal-services.ts";
import { WorkspaceTerminal } from "../../../../src/features/terminals/workspace-terminal.ts";
import { until } from "../../../harness/until.ts";

describe("a terminal that has ended on the server", () => {
  const services = {
    connections: { content: () => new Promise(() => {}), nameOf: () => "Sales" },
    log: { debug: () => {}, error: (line: string) => assert.fail(line) },
  } as unknown as TerminalServices;
  const address = { tenantId: "one", workspaceId: "sales", name: "1" };

  for (const isFullScreen of [false, true]) {
    it(`says so below its last line${isFullScreen ? ", after leaving the screen of a program" : ""}`, async () => {
      const options = { address, folder: "", isNew: false, wasFullScreen: false };
      const terminal = new WorkspaceTerminal(options, services);
      let written = "";
      terminal.onDidWrite((text) => {
        written += text;
      });
      terminal.open({ rows: 24, columns: 80 });
      terminal.onFullScreen(isFullScreen);
      terminal.onState({ type: "ended", end: "gone" });
      await until("the sentence", () => written.includes("The terminal has ended on the server."));
      // Without such a screen, this moves the cursor to the top.
      assert.equal(written.includes("\u001b[?1049l"), isFullScreen);
      assert.match(written, /\r\n\S*The terminal has ended/);
      terminal.close();
    });
  }
});
