// The ways in which a connection breaks and is restored.
import { randomUUID } from "node:crypto";
import type { KernelConnection } from "../../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../../src/api/kernels/connection/open-connection.ts";
import { until } from "../../harness/until.ts";
import { MemoryJournal } from "../rig.ts";
import type { FaultSession } from "./session.ts";
import type { FaultWorld } from "./world.ts";

export interface Disconnect {
  readonly name: string;
  /** How the tests cause it. */
  readonly about: string;
  readonly kernel: "survives" | "ends";
  /** What the window shows while disconnected: the connection's state, or nothing because there is no window. */
  readonly meanwhile: "state" | "no window" | "asleep";
  readonly throughHubProxy?: boolean;
  /** Breaks the connections. Nothing arrives after it resolves. */
  strike(sessions: readonly FaultSession[], world: FaultWorld): Promise<void>;
  /** The time that passes while the connection is gone, after the kernel's work. */
  pass?(sessions: readonly FaultSession[], world: FaultWorld): Promise<void>;
  /** Restores the connection. */
  restore(sessions: readonly FaultSession[], world: FaultWorld): Promise<void>;
}

const minute = 60_000;
const hour = 60 * minute;
const pingTime = 30_000;

export const disconnects: readonly Disconnect[] = [
  {
    name: "clean close",
    about: "Both sides receive a close frame. New connections fail for a while.",
    kernel: "survives",
    meanwhile: "state",
    strike: (sessions) => cutOff(sessions, (session) => session.proxy.close()),
    restore: reconnected,
  },
  {
    name: "abrupt reset",
    about: "The connection is reset on both sides. New connections fail for a while.",
    kernel: "survives",
    meanwhile: "state",
    strike: (sessions) => cutOff(sessions, (session) => session.proxy.reset()),
    restore: reconnected,
  },
  {
    name: "half-open for 2 s",
    about: "Nothing passes, and neither side notices until the connection breaks.",
    kernel: "survives",
    meanwhile: "state",
    strike: async (sessions) => freeze(sessions),
    restore: async (sessions) => {
      for (const { proxy } of sessions) proxy.cut();
    },
  },
  {
    name: "half-open for 2 min",
    about: "Nothing passes. The server gives up first, then the editor, after two unanswered pings.",
    kernel: "survives",
    meanwhile: "state",
    strike: async (sessions) => {
      freeze(sessions);
      for (const { proxy } of sessions) proxy.refuse();
    },
    pass: (sessions) =>
      each(sessions, async (session) => {
        session.proxy.dropFrozenTargets();
        for (let pings = 0; session.connection.state.type === "connected" && pings < 4; pings += 1) {
          session.clock.pass(pingTime);
        }
        await waiting(session);
      }),
    restore: reconnected,
  },
  {
    name: "window reloaded",
    about: "The editor closes the connection. A new window opens one with the journal and the displayed outputs.",
    kernel: "survives",
    meanwhile: "no window",
    strike: (sessions) =>
      each(sessions, async (session) => {
        await runDisconnected(session);
        session.closeWindow();
      }),
    restore: async (sessions) => {
      for (const { proxy } of sessions) proxy.accept();
      await each(sessions, (session) => session.openWindow({ isBackedUp: true }));
    },
  },
  {
    name: "editor killed",
    about: "The connection is reset, and nothing more is written to the journal. A new window has no outputs.",
    kernel: "survives",
    meanwhile: "no window",
    strike: (sessions) =>
      each(sessions, async (session) => {
        await runDisconnected(session);
        session.proxy.refuse();
        session.proxy.reset();
        session.closeWindow();
      }),
    restore: async (sessions) => {
      for (const { proxy } of sessions) proxy.accept();
      await each(sessions, (session) => session.openWindow({ isBackedUp: false }));
    },
  },
  {
    name: "hub proxy restarted",
    about: "configurable-http-proxy ends, is started without its route, and returns 404 until it has the route again.",
    kernel: "survives",
    meanwhile: "state",
    throughHubProxy: true,
    strike: async (sessions, world) => {
      await world.hubProxy.end();
      await each(sessions, waiting);
    },
    pass: async (sessions, world) => {
      await world.hubProxy.startWithoutRoutes();
      // The first of these attempts may have begun before.
      const before = sessions.map(({ tries }) => tries);
      await each(sessions, (session, index) =>
        session.until(
          "tries without a route",
          () => session.tries >= (before[index] ?? 0) + 3 || session.connection.state.type === "kernelDead",
        ),
      );
    },
    restore: (_, world) => world.hubProxy.addRoute(),
  },
  {
    name: "notebook token expired",
    about: "The connection is reset, and the server rejects the token until a new one is entered.",
    kernel: "survives",
    meanwhile: "state",
    strike: async (sessions) => {
      for (const session of sessions) {
        session.setToken("expired");
        session.proxy.reset();
      }
      await each(sessions, (session) =>
        session.until("the rejection", () => session.connection.state.type === "credentialRejected"),
      );
    },
    restore: async (sessions, world) => {
      for (const session of sessions) {
        session.setToken(world.token);
        session.connection.retry();
      }
    },
  },
  {
    name: "another client attached",
    about: "The connection is reset. Meanwhile, another client connects, for which the server discards its buffer.",
    kernel: "survives",
    meanwhile: "state",
    strike: async (sessions, world) => {
      await cutOff(sessions, (session) => session.proxy.reset());
      const others = sessions.map(({ connection: { kernelId } }) => otherClient(kernelId, world));
      visitors.push(...(await Promise.all(others)));
    },
    restore: async (sessions) => {
      await reconnected(sessions);
      for (const visitor of visitors.splice(0)) visitor.dispose();
    },
  },
  {
    name: "laptop slept",
    about: "Nothing passes for 8 hours. The server gives up, and the editor's timers stop until the computer wakes.",
    kernel: "survives",
    meanwhile: "asleep",
    strike: async (sessions) => freeze(sessions),
    restore: async (sessions) => {
      for (const { clock, connection, proxy } of sessions) {
        proxy.dropFrozenTargets();
        clock.pass(8 * hour);
        // After the sleep, one ping must be enough, with 5 seconds for its response.
        if (connection.state.type === "connected") clock.pass(5000);
        if (connection.state.type === "connected") throw new Error("The sleep was not noticed.");
      }
    },
  },
  {
    name: "server restarted",
    about: "Jupyter Server ends with its kernels, and is started again at the same address.",
    kernel: "ends",
    meanwhile: "state",
    strike: async (sessions, world) => {
      // The server announces the end of its kernels before it ends. Connected clients may or may not receive that.
      await cutOff(sessions, (session) => session.proxy.reset());
      await world.stopServer();
    },
    restore: async (sessions, world) => {
      await world.startServer();
      await reconnected(sessions);
    },
  },
];

const visitors: KernelConnection[] = [];

async function each(
  sessions: readonly FaultSession[],
  work: (session: FaultSession, index: number) => Promise<void>,
): Promise<void> {
  await Promise.all(sessions.map(work));
}

function waiting(session: FaultSession): Promise<void> {
  return session.until("waiting", () => session.connection.state.type === "waiting");
}

function freeze(sessions: readonly FaultSession[]): void {
  for (const { proxy } of sessions) proxy.freezeSockets();
}

async function cutOff(sessions: readonly FaultSession[], cut: (session: FaultSession) => void): Promise<void> {
  for (const session of sessions) {
    session.proxy.refuse();
    cut(session);
  }
  await each(sessions, waiting);
}

async function reconnected(sessions: readonly FaultSession[]): Promise<void> {
  for (const { proxy } of sessions) proxy.accept();
}

/** A cell that was run before it could be sent. */
async function runDisconnected(session: FaultSession): Promise<void> {
  if (session.moment.isRunWhileAway) {
    await cutOff([session], ({ proxy }) => proxy.cut());
    await session.runWhileAway();
  }
}

/** Like JupyterLab: with its own session, and without the proxy. */
async function otherClient(kernelId: string, world: FaultWorld): Promise<KernelConnection> {
  const client = world.clientAt(world.url, world.token);
  const connection = await openKernelConnection({
    client: async () => client,
    kernelId,
    journal: new MemoryJournal(),
    recorder: "off",
  });
  await until(`the other client ${randomUUID()}`, () => connection.state.type === "connected", { seconds: 180 });
  return connection;
}
