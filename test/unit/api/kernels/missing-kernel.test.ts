import assert from "node:assert/strict";
import { Client } from "../../../../src/api/client/client.ts";
import { NotebookToken } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import type { KernelEvent } from "../../../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../../../src/api/kernels/executions/execution-journal.ts";

describe("A kernel that the server removed before it had started", () => {
  it("is reported with the executions that it never received, which are dropped", async () => {
    const base = new URL("https://notebooks.example.com/user/alice/4f7c21aa/");
    const missing = {
      status: 404,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ message: "Kernel does not exist: k-1" })),
    };
    const given = Promise.withResolvers<void>();
    const client = new Client(
      {
        kind: "notebook",
        base,
        dialect: dialects.documented,
        limits: singleUserLimits,
        credential: new NotebookToken(base.origin, "s3cret-token"),
      },
      {
        send: async () => missing,
        openSocket: async () => {
          await given.promise;
          return { type: "refused", response: missing };
        },
        close: async () => {},
      },
    );
    const connection = await openKernelConnection({
      client: async () => client,
      kernelId: "k-1",
      recorder: "on",
      journal: noJournal,
    });
    const ended = new Promise<KernelEvent>((resolve) => {
      connection.onKernel((event) => (event.type === "ended" ? resolve(event) : undefined));
    });
    const [execution] = await connection.execute([
      { code: "1", cellId: "c-1", cellIndex: 1, sink: { onEvents: () => {} } },
    ]);
    const entry = execution?.entry;
    given.resolve();
    assert.deepEqual(await ended, { type: "ended", end: "gone", running: [], notSent: [entry] });
    assert.deepEqual(await execution?.ended, { type: "dropped" });
    connection.dispose();
  });
});
