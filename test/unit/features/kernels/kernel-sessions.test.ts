import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NotebookCell } from "vscode";
import { Client } from "../../../../src/api/client/client.ts";
import { systemClock } from "../../../../src/api/clock.ts";
import { NotebookToken } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { silentLog } from "../../../../src/api/http/log.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import type { KernelLeases } from "../../../../src/api/kernels/ownership.ts";
import { PresenceOfUse } from "../../../../src/api/presence.ts";
import type { KernelController } from "../../../../src/features/kernels/controllers/kernel-controller.ts";
import type { WorkspaceKernels } from "../../../../src/features/kernels/controllers/workspace-kernels.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import type { KernelBindings } from "../../../../src/features/kernels/sessions/kernel-bindings.ts";
import {
  type ConnectedKernel,
  KernelSessions,
  type SessionNotebook,
} from "../../../../src/features/kernels/sessions/kernel-sessions.ts";
import { WindowLeases } from "../../../../src/features/kernels/sessions/window-leases.ts";
import { leaseFilesIn } from "../../../../src/tenants/lease-files.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { CancellationError } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { MemoryJournal } from "../../../kernels/rig.ts";
import { acceptedSocket } from "../../api/kernels/accepted-socket.ts";

describe("connections of notebooks to kernels", () => {
  let directory: string;
  let leases: KernelLeases;
  let sessions: KernelSessions;
  let uri: NotebookKernel["notebook"]["uri"];
  /** The server's record: opened sockets with their `session_id`, and goodbyes. */
  let seen: string[];
  /** Answers the goodbyes. */
  let responses: (() => void)[];
  let opened: ConnectedKernel[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-connector-"));
    leases = leaseFilesIn(directory);
    [seen, responses, opened] = [[], [], []];
    const base = new URL("https://notebooks.example.com/user/alice/4f7c21aa/");
    const client = new Client(
      {
        kind: "notebook",
        base,
        dialect: dialects.documented,
        limits: singleUserLimits,
        credential: new NotebookToken(base.origin, "s3cret-token"),
      },
      {
        send: async () => ({ status: 200, headers: { "content-type": "application/json" }, body: Buffer.from("{}") }),
        openSocket: async (request) => {
          const { own, response } = acceptedSocket(request);
          const socket = new URL(request.path, base).searchParams.get("session_id") ?? "";
          seen.push(`open ${socket}`);
          own.on("data", (data: Buffer) => {
            if (data[0] === 0x88) {
              seen.push(`goodbye ${socket}`);
              responses.push(() => own.write(Buffer.from([0x88, 0])));
            }
          });
          return response;
        },
        close: async () => {},
      },
    );
    uri = uriOf("tenant", "workspace", "a/book.ipynb");
    const journals = new Map<string, MemoryJournal>();
    sessions = new KernelSessions({
      services: {
        connections: { content: async () => client },
        log: silentLog,
      } as unknown as KernelServices,
      bindings: {} as unknown as KernelBindings,
      journals: {
        of(sessionId) {
          const journal = journals.get(sessionId) ?? new MemoryJournal();
          journals.set(sessionId, journal);
          return journal;
        },
      },
      presence: new PresenceOfUse(systemClock),
      leases: new WindowLeases({ leases, owner: "this", onError: (error) => assert.fail(String(error)) }),
    });
  });
  afterEach(async () => {
    for (const { connection } of opened) {
      connection.dispose();
    }
    let unclosed = opened.length;
    for (const { connection } of opened) {
      void connection.closed.then(() => {
        unclosed -= 1;
      });
    }
    await until("every connection is closed", () => {
      responseGoodbyes();
      return unclosed === 0;
    });
    await Promise.all(opened.map(({ lease }) => lease?.released));
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const responseGoodbyes = (): void => {
    for (const response of responses.splice(0)) {
      response();
    }
  };
  const open = async (sessionId: string): Promise<ConnectedKernel> => {
    const user = {
      notebook: { uri },
      path: "a/book.ipynb",
      controller: { address: { tenantId: "tenant", workspaceId: "workspace" } },
    } as unknown as SessionNotebook;
    const connected = await sessions.reconnect(user, { kernelId: "kernel", sessionId, specName: "python3", at: 0 });
    opened.push(connected);
    return connected;
  };
  const connectedTo = async (sessionId: string): Promise<ConnectedKernel> => {
    const connected = await open(sessionId);
    await until("a socket", () => connected.connection.state.type === "connected");
    return connected;
  };
  const notebookKernel = (): { readonly kernel: NotebookKernel; readonly controller: KernelController } => {
    const notebook = { uri, getCells: () => [] } as unknown as NotebookKernel["notebook"];
    const createNotebookCellExecution = () => ({ start: () => {}, end: () => {} });
    const controller = { controller: { createNotebookCellExecution } } as unknown as KernelController;
    const workspace = { controllerOf: () => controller } as unknown as WorkspaceKernels;
    const kernel = new NotebookKernel(notebook, workspace, {
      sessions: { open: () => open("session") } as unknown as KernelSessions,
      trouble: { withRecovery: (_, work) => work() },
      log: { error: (line) => assert.fail(line), debug: () => {} },
      outputDirectory: directory,
    });
    return { kernel, controller };
  };
  /** Asserts that nothing is left of a connection. */
  const assertClosed = async ({ connection, lease }: ConnectedKernel): Promise<void> => {
    assert.equal(connection.state.type, "disposed");
    await lease?.released;
    assert.equal(await leases.acquire("kernel", "another", 60_000), "another");
  };
  /** Sends code, so that the journal has the connection's `session_id`. */
  const send = ({ connection }: ConnectedKernel): Promise<unknown> =>
    connection.execute([{ code: "1", cellId: "c", cellIndex: 0, sink: { onEvents: () => {} } }]);

  it("are closed on both sides before a renamed notebook reconnects, and keep the lease", async () => {
    const first = await connectedTo("session");
    await send(first);
    const opening = open("session");
    await until("the goodbye", () => responses.length === 1);
    assert.equal(first.connection.state.type, "disposed");
    const [socket] = seen;
    assert.deepEqual(seen, [socket, socket?.replace("open", "goodbye")]);
    responseGoodbyes();
    const second = await opening;
    await until("the second socket", () => second.connection.state.type === "connected");
    assert.deepEqual(seen.slice(2), [socket]);
    // The notebook is closed under its old name.
    first.connection.dispose();
    assert.equal(await leases.acquire("kernel", "another", 60_000), "this");
  });

  it("are separate for two notebooks on one kernel, so that the server can distinguish them", async () => {
    const first = await connectedTo("session");
    await send(first);
    const second = await connectedTo("another notebook's session");
    assert.equal(first.connection.state.type, "connected");
    assert.equal(second.connection.state.type, "connected");
    assert.equal(new Set(seen).size, 2);
  });

  it("keep the lease of a kernel that two notebooks share until both are closed", async () => {
    const first = await connectedTo("session");
    const second = await connectedTo("another notebook's session");
    first.connection.dispose();
    await first.lease?.released;
    assert.equal(await leases.acquire("kernel", "another", 60_000), "this");
    second.connection.dispose();
    await second.lease?.released;
    assert.equal(await leases.acquire("kernel", "another", 60_000), "another");
  });

  it("are closed, with their lease, if the notebook was closed while the kernel started", async () => {
    const { kernel, controller } = notebookKernel();
    const cell = { index: 0, document: { getText: () => "1" }, metadata: {} } as unknown as NotebookCell;
    const running = kernel.run(controller, [cell]);
    assert.equal(kernel.isConnecting, true);
    kernel.dispose();
    await assert.rejects(running, CancellationError);
    const [connected] = opened;
    assert.ok(connected !== undefined);
    await assertClosed(connected);
    assert.equal(kernel.connection, undefined);
    // A closed notebook does not connect.
    await assert.rejects(kernel.connected(), CancellationError);
    assert.equal(opened.length, 1);
  });

  it("are closed, with their lease, if the notebook was closed while they were replaced or resumed", async () => {
    for (const take of ["use", "resume"] as const) {
      const { kernel } = notebookKernel();
      const connected = await connectedTo(take);
      kernel.dispose();
      await assert.rejects(async () => kernel[take](connected), CancellationError);
      await assertClosed(connected);
      await leases.release("kernel", "another");
    }
  });
});
