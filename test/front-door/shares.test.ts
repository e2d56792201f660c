import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { duplexPair } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PlatformCredential } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import type { Transport, TransportRequest } from "../../src/api/http/transport.ts";
import { isRejection } from "../../src/programs/front-door/http/rejections.ts";
import { contentLimits, platformLimits } from "../../src/programs/front-door/mcp/response-limits.ts";
import { FairPermits } from "../../src/programs/front-door/shares/fair-permits.ts";
import { Pace, PacedStream } from "../../src/programs/front-door/shares/paced-stream.ts";
import { type CallShare, Shares, shareLimits } from "../../src/programs/front-door/shares/shares.ts";
import { UnreadResponses, unreadLimits } from "../../src/programs/front-door/shares/unread-responses.ts";
import { expectCall } from "../harness/front-door/calls.ts";
import { bearer, callBody, callHeaders, prefix } from "../harness/front-door/cases.ts";
import { type Person, type Rig, startRig } from "../harness/front-door/rig.ts";
import { until } from "../harness/until.ts";
import { storedZip } from "../unit/api/zip-files.ts";

const unending = new AbortController().signal;

describe("front door: permits that users share", () => {
  it("a user with a long queue takes turns with the others", async () => {
    const permits = new FairPermits({ perUser: 2, inAll: 2 });
    const order: string[] = [];
    const held: (() => void)[] = [];
    const take = (user: string): void =>
      void permits.take(user, unending).then((release) => {
        order.push(user);
        held.push(release);
      });
    for (let nth = 0; nth < 6; nth += 1) take("mallory");
    take("anna");
    take("ben");
    while (order.length < 8) {
      await nextTurn();
      held.shift()?.();
    }
    assert.deepEqual(order.slice(0, 5).toSorted(), ["anna", "ben", "mallory", "mallory", "mallory"]);
  });

  it("a user holds only their share, even if permits are free", async () => {
    const permits = new FairPermits({ perUser: 2, inAll: 10 });
    let taken = 0;
    for (let nth = 0; nth < 5; nth += 1) void permits.take("mallory", unending).then(() => (taken += 1));
    await nextTurn();
    assert.equal(taken, 2);
    const release = await permits.take("anna", unending);
    release();
    release();
    await permits.take("anna", unending);
    await permits.take("anna", unending);
    assert.equal(taken, 2);
  });

  it("a canceled wait takes no permit", async () => {
    const permits = new FairPermits({ perUser: 1, inAll: 1 });
    const release = await permits.take("anna", unending);
    const canceling = new AbortController();
    const waiting = permits.take("anna", canceling.signal);
    canceling.abort(new Error("canceled"));
    await assert.rejects(waiting, /canceled/);
    await assert.rejects(permits.take("anna", canceling.signal), /canceled/);
    release();
    assert.equal(permits.isIdle, true);
  });
});

/** A transport that delivers bodies of a size, and reports how many large ones are in memory at the same time. */
class LargeBodies implements Transport {
  large = 0;
  max = 0;
  readonly #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  async send({ onReceived }: TransportRequest) {
    await onReceived?.(Math.min(64 * 1024, this.#bytes), undefined);
    await nextTurn();
    await onReceived?.(this.#bytes, undefined);
    this.large += 1;
    this.max = Math.max(this.max, this.large);
    await nextTurn();
    return { status: 200, headers: {}, body: new Uint8Array(0) };
  }

  async close(): Promise<void> {}
}

function requestOf(maximumBytes: number): TransportRequest {
  const url = new URL("https://acme.example.com/x");
  return {
    method: "GET",
    url,
    credential: new PlatformCredential(url.origin, "secret"),
    headers: {},
    body: undefined,
    header: dialects.documented.headers.platform,
    repeat: "never",
    timeLimitMs: 1000,
    transfer: false,
    signal: undefined,
    maximumBytes,
  };
}

function entered(shares: Shares, user: string): CallShare {
  const share = shares.enter(user, unending);
  assert.ok(!isRejection(share));
  return share;
}

describe("front door: memory that users share", () => {
  it("bounds the large responses in memory, per user and in all, until their calls have ended", async () => {
    const shares = new Shares(() => 0);
    const bodies = new LargeBodies(7_300_000);
    const perUser = new Map<string, number>();
    const call = async (user: string): Promise<void> => {
      const share = entered(shares, user);
      await share.limited(bodies).send(requestOf(contentLimits.jsonBytes));
      const own = (perUser.get(user) ?? 0) + 1;
      perUser.set(user, own);
      assert.equal(own, 1, `${user} has two large responses at the same time`);
      // Long enough for others to get the rest of the permits.
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      perUser.set(user, own - 1);
      bodies.large -= 1;
      share.end();
    };
    const users = Array.from({ length: 6 }, (_, nth) => `user ${nth}`);
    await Promise.all(users.flatMap((user) => Array.from({ length: 24 }, () => call(user))));
    assert.equal(bodies.max, shareLimits.largeCalls.inAll);
  });

  it("bounds the medium responses that are processed, and their calls can send further requests", async () => {
    const shares = new Shares(() => 0);
    const { perUser } = shareLimits.mediumCalls;
    const bodies = new LargeBodies(45_000);
    const received: CallShare[] = [];
    const call = async (): Promise<void> => {
      const share = entered(shares, "anna");
      const limited = share.limited(bodies);
      // More at the same time than there are permits: the call's requests share one.
      await Promise.all(Array.from({ length: perUser + 1 }, () => limited.send(requestOf(contentLimits.jsonBytes))));
      received.push(share);
    };
    const calls = Array.from({ length: 20 }, call);
    for (let done = 0; done < calls.length; done += 1) {
      await until(
        "as many to be processed as possible",
        () => received.length >= Math.min(calls.length, done + perUser),
      );
      assert.ok(received.length <= done + perUser, `${received.length - done} at the same time`);
      received[done]?.end();
    }
    await Promise.all(calls);
  });

  it("lets a user's medium responses take a part of the time while others have calls, and all of it otherwise", async () => {
    let now = 0;
    const later: { readonly milliseconds: number; readonly work: () => void }[] = [];
    const shares = new Shares(
      () => now,
      (milliseconds, work) => void later.push({ milliseconds, work }),
    );
    const bodies = new LargeBodies(45_000);
    const { perUser } = shareLimits.mediumCalls;
    const { factor, maxMs } = shareLimits.longResponseRest;
    /** Processes a response for a time. Resolves when it has a permit. */
    const processed = async (heldMs: number): Promise<void> => {
      const share = entered(shares, "mallory");
      await share.limited(bodies).send(requestOf(contentLimits.jsonBytes));
      now += heldMs;
      share.end();
    };
    for (let nth = 0; nth < 2 * perUser; nth += 1) await processed(50);
    assert.equal(later.length, 0);

    const other = entered(shares, "anna");
    for (const heldMs of [50, 10_000]) {
      await Promise.all(Array.from({ length: perUser }, () => processed(heldMs)));
      let isProcessed = false;
      const waiting = processed(0).then(() => (isProcessed = true));
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      assert.equal(isProcessed, false);
      const rests = later.splice(0, perUser);
      const longest = Math.max(...rests.map(({ milliseconds }) => milliseconds));
      assert.equal(longest, Math.min(maxMs, factor * perUser * heldMs));
      for (const { work } of rests) work();
      await waiting;
      for (const { work } of later.splice(0)) work();
    }
    other.end();
  });

  it("a large call can send further requests while the user's other calls wait for it", async () => {
    const shares = new Shares(() => 0);
    const bodies = new LargeBodies(7_300_000);
    const first = entered(shares, "anna");
    await first.limited(bodies).send(requestOf(contentLimits.jsonBytes));
    const others = Array.from({ length: 20 }, async () => {
      const share = entered(shares, "anna");
      await share.limited(bodies).send(requestOf(contentLimits.jsonBytes));
      share.end();
    });
    await nextTurn();
    await first.limited(bodies).send(requestOf(contentLimits.jsonBytes));
    await first.limited(bodies).send(requestOf(platformLimits.bytes));
    first.end();
    await Promise.all(others);
  });

  it("small responses don't wait for large ones", async () => {
    const shares = new Shares(() => 0);
    const large = ["mallory", "eve", "oscar"].map((user) => entered(shares, user));
    for (const share of large) await share.limited(new LargeBodies(7_300_000)).send(requestOf(contentLimits.jsonBytes));
    await entered(shares, "anna").limited(new LargeBodies(200_000)).send(requestOf(contentLimits.jsonBytes));
  });

  it("rejects downloads beyond the memory for them, and says why", async () => {
    const shares = new Shares(() => 0);
    const held = Array.from({ length: 2 }, (_, nth) => entered(shares, `user ${nth}`));
    for (const share of held) {
      await share.limited(new LargeBodies(32 << 20)).send(requestOf(platformLimits.bytes));
    }
    const next = entered(shares, "anna");
    await assert.rejects(next.limited(new LargeBodies(32 << 20)).send(requestOf(platformLimits.bytes)));
    assert.match(next.refusal?.message ?? "", /too many large responses.*try again/);
    // Small ones are always received.
    await entered(shares, "ben")
      .limited(new LargeBodies(1 << 20))
      .send(requestOf(platformLimits.bytes));
    held[0]?.end();
    await entered(shares, "eve")
      .limited(new LargeBodies(32 << 20))
      .send(requestOf(platformLimits.bytes));
  });

  it("bounds the bytes of requests in progress, and more wait", async () => {
    const shares = new Shares(() => 0);
    const calls = Array.from({ length: 4 }, () => entered(shares, "mallory"));
    for (const share of calls) assert.equal(await share.admitRequest(1 << 20), undefined);
    const admitted: string[] = [];
    const admit = (user: string): void =>
      void entered(shares, user)
        .admitRequest(1 << 20)
        .then(() => admitted.push(user));
    admit("mallory");
    admit("anna");
    await until("another user's request to be admitted", () => admitted.length > 0);
    assert.deepEqual(admitted, ["anna"]);
    calls[0]?.end();
    await until("the waiting request to be admitted", () => admitted.length === 2);
  });

  it("admits a request that alone exceeds the limit, if no other is in progress", async () => {
    const shares = new Shares(() => 0);
    assert.equal(await entered(shares, "anna").admitRequest(100 << 20), undefined);
  });
});

describe("front door: calls that users share", () => {
  it("more calls of a user wait, and run in order; beyond the queue they are rejected", async () => {
    const shares = new Shares(() => 0);
    const { calls, waitingCalls } = shareLimits;
    const started: number[] = [];
    const all = Array.from({ length: calls.perUser + waitingCalls.perUser }, (_, nth) => {
      const share = entered(shares, "mallory");
      void share.start().then((rejection) => {
        assert.equal(rejection, undefined);
        started.push(nth);
      });
      return share;
    });
    const beyond = shares.enter("mallory", unending);
    assert.ok(isRejection(beyond) && beyond.rejection === "overLimit");
    assert.equal(await entered(shares, "anna").start(), undefined);
    for (const [nth, share] of all.entries()) {
      await until("the call to start", () => started.length > nth);
      assert.ok(started.length <= calls.perUser + nth);
      share.end();
    }
    assert.deepEqual(started, [...all.keys()]);
  });

  it("a call that ends while it waits is rejected, and holds nothing", async () => {
    const shares = new Shares(() => 0);
    const running = Array.from({ length: shareLimits.calls.perUser }, () => entered(shares, "anna"));
    for (const share of running) await share.start();
    const ending = new AbortController();
    const waiting = shares.enter("anna", ending.signal);
    assert.ok(!isRejection(waiting));
    const late = waiting.start();
    ending.abort();
    assert.equal((await late)?.rejection, "overLimit");
    waiting.end();
    running[0]?.end();
    assert.equal(await entered(shares, "anna").start(), undefined);
  });

  it("a call that has ended can still clean up, whatever the user's other calls hold", async () => {
    const shares = new Shares(() => 0);
    const ending = new AbortController();
    const ended = shares.enter("anna", ending.signal);
    assert.ok(!isRejection(ended));
    const held = new Held();
    for (let nth = 0; nth < shareLimits.connections.perUser; nth += 1) {
      void entered(shares, "anna").limited(held).send(requestOf(contentLimits.jsonBytes));
    }
    await until("the share to be in use", () => held.count === shareLimits.connections.perUser);
    ending.abort();
    await ended.limited(new LargeBodies(1)).send(requestOf(contentLimits.jsonBytes));
  });
});

describe("front door: responses that clients don't read", () => {
  class Unread extends EventEmitter {
    readonly writableLength: number;
    readonly writableFinished: boolean;
    isClosed = false;

    constructor(writableLength: number, writableFinished = false) {
      super();
      this.writableLength = writableLength;
      this.writableFinished = writableFinished;
    }

    destroy(): void {
      this.isClosed = true;
      this.emit("close");
    }
  }
  const third = Math.floor(unreadLimits.perUser / 3);

  it("are bounded per user: the oldest is closed, and those that were read don't count", () => {
    const unread = new UnreadResponses();
    const sent = [third, third, 1000, third].map((bytes) => new Unread(bytes));
    const [first = assert.fail(), second = assert.fail(), ...later] = sent;
    for (const response of sent) unread.add("mallory", response, response);
    assert.deepEqual(
      sent.map(({ isClosed }) => isClosed),
      [false, false, false, false],
    );
    second.emit("close");
    later.push(new Unread(third), new Unread(third, true), new Unread(third));
    for (const response of later.slice(2)) unread.add("mallory", response, response);
    assert.deepEqual(
      [first, second, ...later].map(({ isClosed }) => isClosed),
      [true, false, false, false, false, false, false],
    );
  });

  it("may exceed the limit of a user one by one", () => {
    const unread = new UnreadResponses();
    const large = [new Unread(unreadLimits.perUser + 1), new Unread(unreadLimits.perUser + 1)];
    for (const response of large) unread.add("anna", response, response);
    assert.deepEqual(
      large.map(({ isClosed }) => isClosed),
      [true, false],
    );
  });

  it("are bounded in all, at the cost of the user who has the most", () => {
    const unread = new UnreadResponses();
    const fifth = Math.floor(unreadLimits.inAll / 5);
    const users = ["a", "b", "c", "d"];
    const theirs = users.map(() => new Unread(fifth));
    for (const [at, response] of theirs.entries()) unread.add(users[at] ?? "", response, response);
    const most = new Unread(fifth + 1000);
    const anna = new Unread(fifth);
    unread.add("mallory", most, most);
    unread.add("anna", anna, anna);
    assert.deepEqual(
      [...theirs, anna, most].map(({ isClosed }) => isClosed),
      [false, false, false, false, false, true],
    );
  });
});

/** A transport that never answers. */
class Held implements Transport {
  count = 0;

  send(): Promise<never> {
    this.count += 1;
    return new Promise(() => {});
  }

  async close(): Promise<void> {}
}

describe("front door: kernels that flood", () => {
  it("counts bytes against a burst and a speed, and small parts as more", () => {
    let now = 0;
    const pace = new Pace({ burstBytes: 100_000, bytesPerSecond: 10_000 }, () => now);
    assert.equal(pace.count(100_000), 0);
    assert.equal(pace.count(10_000), 1000);
    now = 11_000;
    assert.equal(pace.count(100_000), 0, "a pause allows the next burst");
    assert.equal(Math.round(pace.count(1)), 102);
    assert.equal(Math.round(pace.count(64, 32)), 3379);
    now += pace.untilRestMs;
    assert.equal(pace.untilRestMs, 0);
    assert.equal(pace.count(100_000), 0);
  });

  it("counts each frame, and passes few of them on at once, wherever they are split", async () => {
    const frames = (length: number, count: number): Buffer => {
      const head = length > 125 ? [0x82, 126, length >> 8, length & 255] : [0x82, length];
      return Buffer.concat(
        Array.from({ length: count }, () => Buffer.concat([Buffer.from(head), Buffer.alloc(length)])),
      );
    };
    const long = Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70, ...Buffer.alloc(70_000)]);
    const sent = Buffer.concat([frames(0, 100), frames(300, 1), long, frames(0, 5000), frames(3, 100)]);
    for (const size of [1, 7, sent.length]) {
      const [near, far] = duplexPair();
      const counted: number[] = [];
      const parts: Buffer[] = [];
      const paced = new PacedStream(near, { count: (_, begun = 0) => Math.min(counted.push(begun), 0) });
      paced.on("data", (part: Buffer) => parts.push(part));
      const ended = new Promise((resolve) => paced.once("end", resolve));
      // The headers of all lengths are in these bytes.
      const whole = Math.min(520, sent.length);
      for (let at = 0; at < whole; at += size) {
        far.write(sent.subarray(at, Math.min(at + size, whole)));
        await nextTurn();
      }
      far.end(sent.subarray(whole));
      await ended;
      assert.ok(Buffer.concat(parts).equals(sent));
      assert.equal(
        counted.reduce((sum, one) => sum + one),
        5202,
      );
      assert.ok(Math.max(...counted) <= 32, `${Math.max(...counted)} frames at once`);
    }
  });

  it("makes the sender wait, and delivers every byte in order before the end", async () => {
    const [near, far] = duplexPair();
    const waits: number[] = [];
    const paced = new PacedStream(near, { count: (bytes) => Math.min(waits.push(bytes), 1) });
    const parts: Buffer[] = [];
    const sent = Buffer.alloc(600_000).map((_, at) => at % 251);
    paced.on("data", (part: Buffer) => parts.push(part));
    const ended = new Promise((resolve) => paced.once("end", resolve));
    for (let at = 0; at < sent.length; at += 100_000) {
      far.write(sent.subarray(at, at + 100_000));
      await nextTurn();
    }
    far.end();
    await ended;
    assert.ok(Buffer.concat(parts).equals(sent));
    assert.ok(waits.length > 1);
    const responded = new Promise((resolve) => far.once("data", resolve));
    paced.write("to the kernel");
    assert.equal(String(await responded), "to the kernel");
  });

  it("reads nothing while it waits", async () => {
    const [near, far] = duplexPair();
    const paced = new PacedStream(near, { count: () => 3_600_000 });
    paced.resume();
    for (let nth = 0; nth < 50; nth += 1) {
      far.write(Buffer.alloc(64 * 1024));
      await nextTurn();
    }
    assert.ok(far.writableNeedDrain, "the kernel's messages are not held back");
    paced.destroy();
    await until("the connection to be closed", () => near.destroyed);
  });
});

describe("front door: one user's share of the connections", () => {
  let rig: Rig;
  let sending: AbortController;
  beforeEach(async () => {
    sending = new AbortController();
    // A held call ends only with its test.
    const callMilliseconds = 3_600_000;
    rig = await startRig({ configure: (usual) => ({ ...usual, limits: { ...usual.limits, callMilliseconds } }) });
  });
  afterEach(async () => {
    sending.abort();
    await rig.stop();
  });

  const call = async (person: Person, tool: string, given: object): Promise<Response> =>
    fetch(`${rig.frontDoor.url}/mcp`, {
      method: "POST",
      headers: {
        ...Object.fromEntries([...callHeaders, ...bearer(`${prefix}${rig.token(person)}`)]),
        "Mcp-Name": tool,
      },
      body: callBody(tool, given),
      signal: sending.signal,
    });
  const hold = (person: Person, tool: string, given: object): void =>
    void call(person, tool, given).catch(() => undefined);

  it("slow responses of one user don't hold up anyone else", async () => {
    const [mallory, anna] = [await rig.person(), await rig.person()];
    rig.platform.holdAt("/api/content/v1/pages/1");
    for (let nth = 0; nth < 80; nth += 1) hold(mallory, "pages_get", { id: "1" });
    await until("the share of the connections to be in use", () => rig.platform.open === 8);
    await expectCall(rig, anna, { status: 200 });
    assert.equal(rig.platform.open, 8);
  });

  it("slow downloads don't hold up other users' archives, or the same user's other calls", async () => {
    const [mallory, eve, anna] = [await rig.person(), await rig.person(), await rig.person()];
    rig.platform.holdAt("/platformapps/designs/slow/");
    rig.platform.responseAt("/platformapps/designs/fast/", storedZip([{ name: "a.txt" }]));
    for (const person of [mallory, eve]) hold(person, "designs_versions_assets", { designId: "slow", version: "1" });
    await until(
      "the slow downloads to be running",
      () => rig.platform.requests.filter(({ target }) => target.startsWith("/platformapps/designs/slow/")).length === 2,
    );
    const response = await call(anna, "designs_versions_assets", { designId: "fast", version: "1" });
    assert.match(await response.text(), /a\.txt/);
    await expectCall(rig, mallory, { status: 200 });
  });

  it("the gauge for the autoscaler counts calls that run, not those that may be rejected or that wait", async () => {
    const inFlight = async (): Promise<number> => {
      const metrics = await (await fetch(`${rig.frontDoor.internalUrl}/metrics`)).text();
      return Number(/^frontdoor_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
    };
    const { perUser } = shareLimits.calls;
    const [mallory, anna] = [await rig.person(), await rig.person()];
    await expectCall(rig, anna, { status: 200 });
    rig.internal.fail("entitlement", { kind: "hang" });
    rig.takeReached();
    hold(mallory, "roles_list", {});
    await until("the call to be checked", () => rig.internal.count("entitlement") === 1);
    assert.equal(await inFlight(), 0);
    rig.platform.holdAt("/api/content/v1/pages/2");
    for (let nth = 0; nth < perUser + 10; nth += 1) hold(anna, "pages_get", { id: "2" });
    await until("the user's calls to run", async () => (await inFlight()) >= perUser);
    assert.equal(await inFlight(), perUser);
  });
});
