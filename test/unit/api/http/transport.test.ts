import assert from "node:assert/strict";
import { pause } from "../../../../src/api/http/retry.ts";
import { createTransport } from "../../../../src/api/http/transport.ts";
import { TransportError } from "../../../../src/api/http/transport-errors.ts";
import {
  connectionError,
  empty,
  fakePlatform,
  json,
  listLog,
  origin,
  type Responder,
  secret,
} from "../fake-platform.ts";
import { once, outcomeOf, repeatable, sequence } from "../fake-transport.ts";

describe("transport: limits", () => {
  const hanging: Responder = (request) =>
    new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });

  it("ends a call at its time limit, once", async () => {
    const keepAlive = setTimeout(() => {}, 5000);
    const outcome = await outcomeOf(hanging, { ...repeatable, timeLimitMs: 30 });
    clearTimeout(keepAlive);
    assert.deepEqual([outcome.failure, outcome.sent], [{ type: "timeLimit", milliseconds: 30 }, 1]);
  });

  it("releases its caller's signal and its own timer after the response", async () => {
    const stop = new AbortController();
    const signals: AbortSignal[] = [];
    const timers = new Map<number, () => void>();
    const transport = createTransport({
      timer: {
        elapsed: () => 0,
        after: (milliseconds, work) => {
          timers.set(milliseconds, work);
          return () => timers.delete(milliseconds);
        },
      },
      createDispatcher: async () => ({
        dispatch: async ({ signal }) => {
          signals.push(signal);
          assert.deepEqual([...timers.keys()], [7_000]);
          return empty(200);
        },
        close: async () => {},
      }),
    });
    await transport.send({ ...repeatable, signal: stop.signal, timeLimitMs: 7_000 });
    assert.equal(timers.size, 0);
    stop.abort();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
  });

  it("treats the library's own timeouts the same way", async () => {
    for (const code of ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]) {
      const outcome = await outcomeOf(sequence(connectionError(code)), { ...repeatable, transfer: true });
      assert.deepEqual([outcome.failure, outcome.sent], [{ type: "timeLimit", milliseconds: 30_000 }, 1]);
    }
  });

  it("doesn't end a transfer that exceeds its limit while bytes are transferred", async () => {
    const due: (() => void)[] = [];
    let elapsed = 0;
    const transport = createTransport({
      timer: {
        elapsed: () => elapsed,
        after: (_, work) => {
          due.push(work);
          return () => {};
        },
      },
      createDispatcher: async () => ({
        dispatch: async ({ idleLimit, signal }) => {
          assert.equal(idleLimit, 20);
          elapsed += 80;
          for (const work of due) work();
          return signal.aborted ? empty(500) : empty(200);
        },
        close: async () => {},
      }),
    });
    assert.equal((await transport.send({ ...repeatable, transfer: true, timeLimitMs: 20 })).status, 200);
    assert.equal((await transport.send({ ...repeatable, repeat: "never", timeLimitMs: 20 })).status, 500);
  });

  it("ends immediately when canceled during a request", async () => {
    const stop = new AbortController();
    const cancelled: Responder = (request, nth) => {
      const never = hanging(request, nth);
      stop.abort();
      return never;
    };
    const outcome = await outcomeOf(cancelled, { ...repeatable, signal: stop.signal });
    assert.deepEqual([outcome.failure, outcome.sent], [{ type: "cancelled" }, 1]);
  });

  it("sends nothing if already canceled", async () => {
    const outcome = await outcomeOf(() => empty(200), { ...repeatable, signal: AbortSignal.abort() });
    assert.deepEqual([outcome.failure, outcome.sent], [{ type: "cancelled" }, 0]);
  });

  it("ends a pause when it is canceled, without another request", async () => {
    const stop = new AbortController();
    let sent = 0;
    const transport = createTransport({
      sleep: (milliseconds, signal) => {
        const pausing = pause(milliseconds, signal);
        stop.abort();
        return pausing;
      },
      createDispatcher: async () => ({
        dispatch: async () => {
          sent += 1;
          return empty(503, { "retry-after": "14" });
        },
        close: async () => {},
      }),
    });
    const started = performance.now();
    await assert.rejects(
      transport.send({ ...repeatable, signal: stop.signal }),
      (error) => error instanceof TransportError && error.failure.type === "cancelled",
    );
    assert.equal(sent, 1);
    assert.equal(performance.now() - started < 13_000, true);
  });

  it("doesn't start a pause that is already canceled", async () => {
    const stop = new AbortController();
    const transport = createTransport({
      createDispatcher: async () => ({
        dispatch: async () => {
          stop.abort();
          return empty(503, { "retry-after": "14" });
        },
        close: async () => {},
      }),
    });
    const started = performance.now();
    await assert.rejects(transport.send({ ...repeatable, signal: stop.signal }), TransportError);
    assert.equal(performance.now() - started < 13_000, true);
  });
});

describe("transport: origins and the log", () => {
  it("rejects another origin before the HTTP library is loaded", async () => {
    let loaded = 0;
    const transport = createTransport({
      createDispatcher: async () => {
        loaded += 1;
        throw new Error("it was loaded");
      },
    });
    for (const address of [
      "http://acme.example.com/",
      "https://acme.example.com:444/",
      "https://acme.example.com.evil/",
    ]) {
      await assert.rejects(transport.send({ ...repeatable, url: new URL(address) }), (error) => {
        assert.deepEqual(error instanceof TransportError && error.failure, {
          type: "otherOrigin",
          expected: origin,
          actual: new URL(address).origin,
        });
        return true;
      });
    }
    assert.equal(loaded, 0);
  });

  it("passes on the request as it will be sent", async () => {
    const { transport, requests } = fakePlatform(() => empty(200));
    await transport.send({ ...once, headers: { "content-type": "application/json" } });
    const { origin: sentTo, path, method, headers, body, idleLimit } = requests[0] ?? {};
    assert.deepEqual(
      { sentTo, path, method, headers, body, idleLimit },
      {
        sentTo: origin,
        path: "/api/x?y=1",
        method: "PUT",
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          authorization: `token ${secret}`,
        },
        body: "{}",
        idleLimit: 30_000,
      },
    );
  });

  it("writes one line per request, and no secret at any level", async () => {
    const echo = json(
      200,
      { token: "another-secret", message: `you sent ${secret}`, path: "/x?token=third-secret" },
      { "x-echo": `token ${secret}`, "x-auth-token": "fourth-secret", location: "/?token=fifth-secret" },
    );
    const { lines } = await outcomeOf(sequence(empty(503), connectionError("ECONNRESET"), echo));
    assert.deepEqual(
      lines.filter((line) => line.startsWith("info")).map((line) => line.replace(/\d+ ms/, "N ms")),
      [
        "info GET /api/x 503 N ms 0 B",
        "info GET /api/x ECONNRESET N ms",
        `info GET /api/x 200 N ms ${echo.body.length} B`,
      ],
    );
    assert.equal(
      lines.some((line) => line.startsWith("trace")),
      true,
    );
    for (const hidden of [secret, "another-secret", "third-secret", "fourth-secret", "fifth-secret"]) {
      assert.equal(lines.join("\n").includes(hidden), false, hidden);
    }
  });

  it("loads the HTTP library with the first request, once, and closes it", async () => {
    const events: string[] = [];
    const lines: string[] = [];
    const transport = createTransport({
      log: listLog(lines),
      connections: 3,
      createDispatcher: async ({ connections }) => {
        events.push(`made for ${connections}`);
        return {
          dispatch: async () => empty(200),
          close: async () => {
            events.push("closed");
          },
        };
      },
    });
    await transport.close();
    assert.deepEqual(events, []);
    await Promise.all([transport.send(repeatable), transport.send(repeatable)]);
    await transport.close();
    assert.deepEqual(events, ["made for 3", "closed"]);
  });
});

describe("transport: connections", () => {
  const hour = 3_600_000;

  function counting(response: () => Promise<void> = async () => {}) {
    let clock = 0;
    const made: { isClosed: boolean }[] = [];
    const transport = createTransport({
      now: () => clock,
      createDispatcher: async () => {
        const dispatcher = { isClosed: false };
        made.push(dispatcher);
        return {
          async dispatch() {
            await response();
            return empty(200);
          },
          async close() {
            dispatcher.isClosed = true;
          },
        };
      },
    });
    const sleepFor = (milliseconds: number): void => {
      clock += milliseconds;
    };
    return { transport, made, sleepFor };
  }

  it("are reused within a short time, and replaced after hours of sleep", async () => {
    const { transport, made, sleepFor } = counting();
    await transport.send(repeatable);
    sleepFor(5_000);
    await transport.send(repeatable);
    assert.equal(made.length, 1);
    sleepFor(8 * hour);
    await transport.send(repeatable);
    assert.deepEqual(
      made.map(({ isClosed }) => isClosed),
      [true, false],
    );
  });

  it("are not closed during a request", async () => {
    const responded = Promise.withResolvers<void>();
    const { transport, made, sleepFor } = counting(() => responded.promise);
    const first = transport.send(repeatable);
    sleepFor(8 * hour);
    const second = transport.send(repeatable);
    responded.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(
      made.map(({ isClosed }) => isClosed),
      [false],
    );
  });

  it("loads the HTTP library again after a failed load", async () => {
    let loads = 0;
    const transport = createTransport({
      createDispatcher: async () => {
        loads += 1;
        if (loads === 1) {
          throw new Error("the file is being replaced");
        }
        return { dispatch: async () => json(200, {}), close: async () => {} };
      },
    });
    await assert.rejects(transport.send(once), /being replaced/);
    assert.equal((await transport.send(once)).status, 200);
    assert.equal(loads, 2);
  });
});
