import type { Disconnect } from "./disconnects.ts";
import type { FaultRow } from "./table.ts";

const head = `# Kernels: failure modes and outcomes

Each kind of disconnect from a kernel, at each stage of a run. \`npm test -- kernels\` generates this page with a
real Jupyter Server and ipykernel behind proxies that break connections, and a test compares it with the outcomes. The
recorder is on, which is the default.

- **During**: what the status bars of the window and of the running cell show while disconnected.
- **After**: what you see when the connection is back.
- **Saved notebook**: the outputs that the notebook then has and saves.
- "Before sending": the cell is run after the connection broke. No cell is ever sent twice.
- "Flood": 4 MB of text, more than the server keeps for a disconnected client. A cell shows 2 MB of it; **Open full output**
  has all of it.

In every row in which the kernel survives, a test requires that each cell that ran once has all of its output, in order, once,
without a note that output may be missing. If the kernel ends, the output that had arrived is kept.
`;

const tail = `## Limits of these tests

- Minutes and hours pass on the connection's clock, which the test advances. The server's own limit of 90 seconds is
  simulated by ending the server's side. No real computer sleeps.
- The editor is not killed: its connection is reset, and the journal stays as it was at that moment. The tests do not
  cover how soon the editor writes its storage to disk.
- The saved notebook is the model from which the editor gets its outputs. That the editor saves what it shows is tested in
  the editor itself.
- The hub's proxy is the one that JupyterHub uses, without the hub. The tests of the same layer also run kernels behind a
  JupyterHub, whose server is stopped and crashes.
- A recorder keeps up to 32 MB and 100,000 messages, and only in Python kernels. Beyond that, and in other kernels, the cell
  says that output may be missing.
- Before ipykernel 7, the recorder responds only when the kernel is idle: a cell may end before its missing output is
  recovered. If a half-open connection loses the request of a cell that is waiting for input, the cell must be interrupted.
  The tests run ipykernel 7.
`;

/** docs/reference/kernel-faults.md: a table for each disconnect, moment by moment. */
export function kernelFaultsPage(disconnects: readonly Disconnect[], rows: readonly FaultRow[]): string {
  const parts = disconnects.map((disconnect) => {
    const own = rows.filter((row) => row.disconnect === disconnect);
    const lines = own.map(({ moment, meanwhile, afterwards, saved }) =>
      ["", moment.name, meanwhile, afterwards, saved, ""].join(" | ").trim(),
    );
    const title = disconnect.name.charAt(0).toUpperCase() + disconnect.name.slice(1);
    const table = ["| stage | during | after | saved notebook |", "|---|---|---|---|", ...lines];
    return `## ${title}\n\n${disconnect.about}\n\n${table.join("\n")}\n`;
  });
  return [head, ...parts, tail].join("\n");
}
