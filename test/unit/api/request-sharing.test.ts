import assert from "node:assert/strict";
import { RequestSharing } from "../../../src/api/request-sharing.ts";

describe("request sharing", () => {
  it("makes one request for concurrent callers, and another one afterward", async () => {
    const sharing = new RequestSharing<number>();
    let requests = 0;
    const request = async (): Promise<number> => ++requests;
    assert.deepEqual(await Promise.all([sharing.run("a", request), sharing.run("a", request)]), [1, 1]);
    assert.equal(await sharing.run("a", request), 2);
  });

  it("does not share between keys", async () => {
    const sharing = new RequestSharing<string>();
    const both = [sharing.run("a", async () => "of a"), sharing.run("b", async () => "of b")];
    assert.deepEqual(await Promise.all(both), ["of a", "of b"]);
  });

  it("rejects all sharing callers on a failure, and doesn't cache it", async () => {
    const sharing = new RequestSharing<string>();
    const failing = [1, 2].map(() => sharing.run("a", () => Promise.reject(new Error("broken"))));
    for (const one of failing) {
      await assert.rejects(one, /broken/);
    }
    assert.equal(await sharing.run("a", async () => "works"), "works");
  });

  it("says to a request whether it was renewed meanwhile", async () => {
    const sharing = new RequestSharing<boolean>();
    const gate = Promise.withResolvers<void>();
    const request = async (isRenewed: () => boolean): Promise<boolean> => {
      assert.equal(isRenewed(), false);
      await gate.promise;
      return isRenewed();
    };
    const [first, other] = [sharing.run("a", request), sharing.run("b", request)];
    sharing.renew("a");
    const second = sharing.run("a", request);
    gate.resolve();
    assert.deepEqual(await Promise.all([first, second, other]), [true, false, false]);
  });

  it("returns the pending request", async () => {
    const sharing = new RequestSharing<string>();
    assert.equal(sharing.inFlight("a"), undefined);
    const running = sharing.run("a", async () => "result");
    assert.equal(sharing.inFlight("a"), running);
    await running;
    assert.equal(sharing.inFlight("a"), undefined);
  });
});
