import assert from "node:assert/strict";
import { Companion } from "../../../../src/api/companion/companion.ts";
import { watchPackages } from "../../../../src/api/companion/operations/packages.ts";
import { searchFiles } from "../../../../src/api/companion/operations/search.ts";
import type { KernelConnection } from "../../../../src/api/kernels/connection/connection.ts";
import { until } from "../../../harness/until.ts";

/** A connection that the test breaks, to a program that never replies. */
class Connection {
  readonly kernelId = "kernel";
  readonly sent: { readonly id: string; readonly operation: string; readonly parameters: { readonly id?: string } }[] =
    [];
  state = { type: "connected" };
  readonly #listeners = new Set<(state: { readonly type: string }) => void>();

  onPush() {
    return { dispose: () => {} };
  }

  onKernel() {
    return { dispose: () => {} };
  }

  onState(listener: (state: { readonly type: string }) => void) {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  request(_channel: string, _type: string, content: Connection["sent"][number]) {
    this.sent.push(content);
    return new Promise(() => {});
  }

  become(type: string): void {
    this.state = { type };
    for (const listener of [...this.#listeners]) listener(this.state);
  }
}

describe("what is canceled while the companion isn't connected", () => {
  let connection: Connection;
  let companion: Companion;

  beforeEach(() => {
    connection = new Connection();
    companion = new Companion(connection as unknown as KernelConnection, "3.13.1", { ownsConnection: false });
  });
  afterEach(() => companion.dispose());

  const listing = {
    ...{ folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false },
    ...{ exclude: [], useIgnoreFiles: true, maxFiles: 10 },
  };
  const begin = {
    request: (signal: AbortSignal) => companion.request(searchFiles, listing, { signal }),
    subscription: (signal: AbortSignal) =>
      companion.subscribe(watchPackages, {}, { onPush: () => {}, onFailure: () => {} }, { signal }),
  };
  for (const [name, start] of Object.entries(begin)) {
    it(`is canceled on the server when it is connected again: a ${name}`, async () => {
      const abort = new AbortController();
      const ended = assert.rejects(start(abort.signal), /unwanted/);
      await until("the request", () => connection.sent.length === 1);
      connection.become("reconnecting");
      abort.abort(new Error("unwanted"));
      await ended;
      assert.equal(connection.sent.length, 1);
      connection.become("connected");
      const [sent, canceled] = connection.sent;
      assert.equal(connection.sent.length, 2);
      assert.deepEqual([canceled?.operation, canceled?.parameters.id], ["companion.cancel", sent?.id]);
    });
  }

  it("is not canceled on the server if it was never sent", async () => {
    connection.become("reconnecting");
    const abort = new AbortController();
    const ended = assert.rejects(begin.request(abort.signal), /unwanted/);
    abort.abort(new Error("unwanted"));
    await ended;
    connection.become("connected");
    assert.equal(connection.sent.length, 0);
  });
});
