import assert from "node:assert/strict";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { Client } from "../../../../src/api/client/client.ts";
import { type Clock, systemClock } from "../../../../src/api/clock.ts";
import { NotebookToken } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import type { SocketRequest } from "../../../../src/api/http/dispatch.ts";
import { silentLog } from "../../../../src/api/http/log.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import { frameCodes } from "../../../../src/api/http/web-socket-frames.ts";
import type { KernelConnection } from "../../../../src/api/kernels/connection/connection.ts";
import {
  type ConnectionState,
  KernelUnreachableError,
} from "../../../../src/api/kernels/connection/connection-state.ts";
import { openKernelConnection } from "../../../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../../../src/api/kernels/executions/execution-journal.ts";
import { until } from "../../../harness/until.ts";
import { SimulatedClock } from "../../file-system/simulated-clock.ts";
import { acceptedSocket } from "./accepted-socket.ts";

const base = new URL("https://notebooks.example.com/user/alice/4f7c21aa/");

/** A server's answer to the request for a socket: a status, the socket, or nothing while the kernel starts. */
type Response =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | "socket"
  | "starting";

interface LinkOptions {
  readonly ping?: number;
  readonly unreachable?: boolean;
  readonly clock?: Clock;
}

/** A link to a server that gives these answers in turn, and then repeats the last one. */
async function linkTo(
  responses: readonly Response[],
  { ping = 10_000, unreachable = false, clock = systemClock }: LinkOptions = {},
) {
  const requests: SocketRequest[] = [];
  const streams: Duplex[] = [];
  const states: ConnectionState[] = [];
  const checked: string[] = [];
  const started = Promise.withResolvers<void>();
  let [checks, kernelStatus, kernelBody] = [0, 200, "{}"];
  const client = new Client(
    {
      kind: "notebook",
      base,
      dialect: dialects.documented,
      limits: singleUserLimits,
      credential: new NotebookToken(base.origin, "s3cret-token"),
    },
    {
      send: async ({ url }) => {
        checks += 1;
        checked.push(url.search);
        return { status: kernelStatus, headers: { "content-type": "application/json" }, body: Buffer.from(kernelBody) };
      },
      openSocket: async (request) => {
        const response = responses[Math.min(requests.length, responses.length - 1)] ?? "socket";
        requests.push(request);
        if (response === "starting") {
          await Promise.race([started.promise, once(request.signal, "abort")]);
          request.signal.throwIfAborted();
        } else if (response !== "socket") {
          return { type: "refused", response: { headers: {}, body: Buffer.alloc(0), ...response } };
        }
        const { own, response: accepted } = acceptedSocket(request);
        streams.push(own);
        return accepted;
      },
      close: async () => {},
    },
  );
  const lost: string[] = [];
  const ended = "the connection ended: ";
  const link = await openKernelConnection({
    client: async () => {
      if (unreachable) throw new KernelUnreachableError("serverStopped", "Sales is not running");
      return client;
    },
    kernelId: "k/1",
    journal: { ...noJournal, read: async () => ({ sessionId: "s 1", entries: [] }) },
    recorder: "off",
    times: { ping, firstPauseMs: 10, maxPauseMs: 20, running: 5 },
    clock,
    log: {
      ...silentLog,
      info: (text) => {
        if (text.includes(ended)) lost.push(text.slice(text.indexOf(ended) + ended.length));
      },
    },
  });
  link.onState((state) => states.push(state));
  return {
    link,
    requests,
    streams,
    states,
    lost,
    checked,
    checks: () => checks,
    startKernel: () => started.resolve(),
    /** The hub reports that it stops the server, whose socket is still open; or that it is there. */
    stopServer: () => {
      kernelStatus = 424;
    },
    keepServer: () => {
      kernelStatus = 200;
    },
    /** The server reports that the kernel does not exist. */
    endKernel: () => {
      [kernelStatus, kernelBody] = [404, '{"message": "Kernel does not exist: k/1", "reason": null}'];
    },
    /** A proxy has no route to the server. */
    loseRoute: () => {
      [kernelStatus, kernelBody] = [404, '{"message": "Not Found"}'];
    },
  };
}

async function untilIs(link: KernelConnection, type: ConnectionState["type"]): Promise<void> {
  await until(`the state ${type}`, () => link.state.type === type, { seen: () => link.state.type });
}

describe("The link to a kernel", () => {
  it("requests one socket, with the token only in a header", async () => {
    const { link, requests, checks } = await linkTo(["socket"]);
    await untilIs(link, "connected");
    const [request] = requests;
    assert.equal(request?.origin, base.origin);
    assert.equal(request?.path, "/user/alice/4f7c21aa/api/kernels/k%2F1/channels?session_id=s%201");
    assert.equal(request?.headers.authorization, "token s3cret-token");
    assert.ok(!request?.path.includes("s3cret"));
    assert.deepEqual([requests.length, checks()], [1, 0]);
    link.dispose();
    assert.equal(link.state.type, "disposed");
  });

  it("is closed after the server's close frame, or immediately without a socket", async () => {
    const { link, streams } = await linkTo(["socket"]);
    await untilIs(link, "connected");
    const [server] = streams;
    let isClosed = false;
    const closed = link.closed.then(() => {
      isClosed = true;
    });
    const goodbye = new Promise<void>((resolve) =>
      server?.on("data", (part: Buffer) => {
        if (part[0] === (0x80 | frameCodes.close)) resolve();
      }),
    );
    link.dispose();
    link.dispose();
    await goodbye;
    assert.equal(isClosed, false);
    server?.write(Buffer.from([0x80 | frameCodes.close, 0]));
    await closed;
    const { link: unconnected } = await linkTo([{ status: 502 }]);
    await untilIs(unconnected, "waiting");
    unconnected.dispose();
    await unconnected.closed;
  });

  it("retries while the server fails, and checks the kernel first", async () => {
    const { link, requests, states, checks } = await linkTo([
      { status: 502 },
      { status: 500 },
      { status: 502 },
      "socket",
    ]);
    await untilIs(link, "connected");
    assert.equal(requests.length, 4);
    assert.equal(checks(), 3);
    assert.deepEqual(
      states.filter(({ type }) => type === "waiting").map((state) => state.type === "waiting" && String(state.reason)),
      [502, 500, 502].map((status) => `the server returned status ${status}`),
    );
    link.dispose();
  });

  it("stops at a rejected token until `retry` is called", async () => {
    const clock = new SimulatedClock();
    const { link, requests } = await linkTo([{ status: 403 }, "socket"], { clock });
    await untilIs(link, "credentialRejected");
    await clock.pass(3_600_000);
    assert.equal(requests.length, 1);
    link.retry();
    await untilIs(link, "connected");
    link.dispose();
  });

  it("waits for a stopped workspace, as reported by the hub or the caller", async () => {
    const stopped = { status: 503, headers: { "x-jupyterhub-version": "6.1.1", "content-type": "text/html" } };
    const { link, states } = await linkTo([stopped, stopped, "socket"]);
    await untilIs(link, "connected");
    assert.equal(states.filter(({ type }) => type === "serverStopped").length, 2);
    link.dispose();
    const other = await linkTo(["socket"], { unreachable: true });
    await untilIs(other.link, "serverStopped");
    other.link.dispose();
  });

  it("reconnects after a break, and stops if the kernel is gone", async () => {
    const { link, streams, lost, endKernel, requests } = await linkTo(["socket"]);
    await untilIs(link, "connected");
    streams[0]?.destroy();
    await until("the second connection", () => requests.length === 2 && link.state.type === "connected");
    assert.equal(lost.length, 1);
    endKernel();
    streams[1]?.destroy();
    await untilIs(link, "kernelDead");
    assert.ok(link.state.type === "kernelDead" && link.state.end === "gone");
    assert.equal(requests.length, 2);
    link.dispose();
  });

  it("doesn't mistake the 404 of a proxy for the end of the kernel", async () => {
    const { link, streams, states, loseRoute, endKernel } = await linkTo([{ status: 404 }, "socket"]);
    await untilIs(link, "connected");
    loseRoute();
    streams[0]?.destroy();
    await until("several failures", () => states.filter(({ type }) => type === "waiting").length > 3);
    assert.ok(states.every(({ type }) => type !== "kernelDead"));
    endKernel();
    await untilIs(link, "kernelDead");
    link.dispose();
  });

  it("checks a kernel that takes long to start, and connects when it has started", async () => {
    const clock = new SimulatedClock();
    const { link, requests, checks, startKernel } = await linkTo(["starting"], { clock });
    await until("the request for a socket", () => requests.length === 1);
    await clock.pass(4000);
    assert.equal(checks(), 0);
    await clock.pass(12_000);
    await until("3 checks", () => checks() === 3);
    assert.equal(link.state.type, "connecting");
    startKernel();
    await untilIs(link, "connected");
    await clock.pass(9000);
    assert.deepEqual([requests.length, requests[0]?.signal?.aborted], [1, false]);
    link.dispose();
  });

  it("detects that a kernel is gone while the server still waits for it to start", async () => {
    const clock = new SimulatedClock();
    const { link, requests, checks, endKernel } = await linkTo(["starting"], { clock });
    await until("the request for a socket", () => requests.length === 1);
    await clock.pass(6000);
    await until("a check", () => checks() === 1);
    endKernel();
    await clock.pass(5000);
    await untilIs(link, "kernelDead");
    assert.ok(link.state.type === "kernelDead" && link.state.end === "gone");
    assert.deepEqual([requests.length, requests[0]?.signal?.aborted], [1, true]);
    link.dispose();
  });

  it("closes a socket that is silent for two pings, and keeps one that replies", async () => {
    const silent = await linkTo(["socket"], { ping: 20 });
    await until("the loss", () => silent.lost.length > 0);
    assert.equal(silent.lost[0], "the server stopped answering");
    silent.link.dispose();
    const responding = await linkTo(["socket"], { ping: 20 });
    await until("the socket", () => responding.streams.length === 1);
    let pings = 0;
    responding.streams[0]?.on("data", (part: Buffer) => {
      if (part[0] === (0x80 | frameCodes.ping)) {
        pings += 1;
        responding.streams[0]?.write(Buffer.from([0x80 | frameCodes.pong, 0]));
      }
    });
    await until("5 pings", () => pings >= 5);
    assert.deepEqual(responding.lost, []);
    responding.link.dispose();
  });

  it("reports that the hub stops the server of a running cell, although the socket is open, unless it then runs on", async () => {
    const { link, streams, stopServer, keepServer } = await linkTo(["socket"]);
    await untilIs(link, "connected");
    stopServer();
    await link.execute([{ code: "1", cellId: undefined, cellIndex: 0, sink: { onEvents: () => {} } }]);
    await untilIs(link, "serverStopped");
    keepServer();
    await untilIs(link, "connected");
    assert.equal(streams.length, 1);
    link.dispose();
  });

  it("checks a quiet kernel at increasing intervals, without counting as activity", async () => {
    const { link, streams, checks, checked } = await linkTo(["socket"], { ping: 5 });
    await until("the socket", () => streams.length === 1);
    let pings = 0;
    streams[0]?.on("data", (part: Buffer) => {
      if (part[0] === (0x80 | frameCodes.ping)) {
        pings += 1;
        streams[0]?.write(Buffer.from([0x80 | frameCodes.pong, 0]));
      }
    });
    // After 1, 2, 4, 8 and 16 pings.
    await until("5 checks", () => checks() === 5);
    assert.ok(pings >= 16, `${pings} pings`);
    assert.deepEqual(new Set(checked), new Set(["?no_track_activity=1"]));
    link.dispose();
  });

  it("detects that the kernel is gone even if its socket stays open", async () => {
    const { link, streams, endKernel, lost } = await linkTo(["socket"], { ping: 5 });
    await until("the socket", () => streams.length === 1);
    streams[0]?.on("data", () => streams[0]?.write(Buffer.from([0x80 | frameCodes.pong, 0])));
    endKernel();
    await untilIs(link, "kernelDead");
    assert.ok(link.state.type === "kernelDead" && link.state.end === "gone");
    assert.deepEqual(lost, []);
    link.dispose();
  });
});
