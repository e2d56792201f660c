import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type FaultProxy, startFaultProxy } from "../../harness/proxy.ts";

describe("waiting for the fault proxy", () => {
  let target: Server;
  let proxy: FaultProxy;
  /** Requests that the target has received and not answered. */
  const open: ServerResponse[] = [];
  let arrived = Promise.withResolvers<void>();

  before(async () => {
    target = createServer((incoming, outgoing) => {
      incoming.resume();
      incoming.on("end", () => {
        if (incoming.url === "/later") {
          outgoing.end("{}");
          return;
        }
        open.push(outgoing);
        arrived.resolve();
      });
    });
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    proxy = await startFaultProxy(origin, { finishes: true });
  });
  beforeEach(() => {
    open.length = 0;
    arrived = Promise.withResolvers<void>();
    proxy.clearFaults();
  });
  after(async () => {
    await proxy.stop();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });

  /** Whether work is still waiting when a later request was answered. */
  async function isWaiting(work: Promise<unknown>): Promise<boolean> {
    let isDone = false;
    void work.then(() => {
      isDone = true;
    });
    const later = await fetch(`${proxy.url}/later`);
    await later.text();
    return !isDone;
  }

  it("is settled when the target has responded, even if the client is gone", async () => {
    const client = new AbortController();
    const asked = fetch(`${proxy.url}/files/a`, { method: "PUT", body: "whole", signal: client.signal });
    await arrived.promise;
    client.abort();
    await assert.rejects(asked, { name: "AbortError" });
    const settled = proxy.settled("/files/");
    assert.equal(await isWaiting(settled), true);
    assert.equal(await isWaiting(proxy.settled("/other/")), false);
    open[0]?.end("{}");
    await settled;
  });

  it("is not quiet during a request or right after it", async () => {
    const asked = fetch(`${proxy.url}/files/b`);
    await arrived.promise;
    const quiet = proxy.quiet(100);
    assert.equal(await isWaiting(proxy.quiet(0)), true);
    const respondedAfter = performance.now();
    open[0]?.end("{}");
    await (await asked).text();
    await quiet;
    // A timer may fire a moment early.
    assert.ok(performance.now() - respondedAfter >= 95);
  });

  for (const when of ["before", "during"] as const) {
    it(`reports a request that will get no response, with its headers: ${when}`, async () => {
      const told = Promise.withResolvers<unknown>();
      const onHang = (headers: Readonly<Record<string, unknown>>): void => told.resolve(headers["x-exchange"]);
      proxy.addFault({ match: { path: "/files/c" }, action: { kind: "hang", when, onHang } });
      const client = new AbortController();
      const asked = fetch(`${proxy.url}/files/c`, { headers: { "x-exchange": "seven" }, signal: client.signal });
      const read = asked.then((response) => response.text());
      if (when === "during") {
        await arrived.promise;
        open[0]?.end("0123456789");
      }
      assert.equal(await told.promise, "seven");
      client.abort();
      await assert.rejects(read, { name: "AbortError" });
    });
  }
});
