import assert from "node:assert/strict";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import type { ListeningPort } from "../../../../src/api/companion/operations/ports.ts";
import { silentLog } from "../../../../src/api/http/log.ts";
import { ListeningPorts } from "../../../../src/features/ports/listening-ports.ts";
import { until } from "../../../harness/until.ts";

interface Watch {
  readonly onPush: (value: { readonly ports: readonly ListeningPort[] }) => void;
  readonly onFailure: () => void;
  isDisposed: boolean;
}

describe("the ports on which programs listen", () => {
  const place = { tenantId: "acme", workspaceId: "sales" };
  const streamlit = { port: 8501, name: "streamlit", isEphemeral: false };
  let watches: Watch[];
  let running: Companion | undefined;
  let isPresent: boolean;
  let followsAll: boolean;
  let isKnown: boolean;
  let presenceChanged: () => void;
  let listening: ListeningPorts;

  const companion = (): Companion =>
    ({
      subscribe: async (_: unknown, __: unknown, listener: Pick<Watch, "onPush" | "onFailure">) => {
        const watch = { ...listener, isDisposed: false };
        watches.push(watch);
        return {
          result: { isKnown, ports: [streamlit] },
          dispose: () => {
            watch.isDisposed = true;
          },
        };
      },
    }) as unknown as Companion;
  const open = (): number => watches.filter(({ isDisposed }) => !isDisposed).length;
  const untilLive = (): Promise<unknown> => until("the ports", () => listening.live(place) !== undefined);

  beforeEach(() => {
    watches = [];
    running = companion();
    isPresent = true;
    followsAll = false;
    isKnown = true;
    listening = new ListeningPorts({
      companions: { running: () => running } as never,
      log: silentLog as never,
      presence: {
        get isPresent() {
          return isPresent;
        },
        onChange: (listener) => {
          presenceChanged = listener;
          return { dispose: () => {} };
        },
      },
      followsAll: () => followsAll,
    });
  });
  afterEach(() => listening.dispose());

  it("are read while something needs them, once for all", async () => {
    listening.update(place);
    assert.equal(watches.length, 0);
    const first = listening.follow(place);
    const second = listening.follow(place);
    await untilLive();
    assert.deepEqual(listening.live(place), [streamlit]);
    watches[0]?.onPush({ ports: [] });
    assert.deepEqual(listening.live(place), []);
    first.dispose();
    assert.equal(open(), 1);
    second.dispose();
    assert.equal(open(), 0);
    assert.equal(watches.length, 1);
  });

  it("aren't read while nobody uses the window", async () => {
    followsAll = true;
    listening.update(place);
    await untilLive();
    isPresent = false;
    presenceChanged();
    assert.equal(open(), 0);
    assert.equal(listening.live(place), undefined);
    assert.deepEqual(listening.latest(place), [streamlit], "what the view shows");
    isPresent = true;
    presenceChanged();
    await untilLive();
    assert.equal(open(), 1);
  });

  it("are read from the next companion, and none is started", async () => {
    followsAll = true;
    listening.update(place);
    await untilLive();
    running = undefined;
    listening.update(place);
    assert.equal(open(), 0);
    assert.deepEqual(listening.latest(place), []);
    running = companion();
    listening.update(place);
    await untilLive();
  });

  it("aren't asked for again where the system doesn't report them", async () => {
    followsAll = true;
    isKnown = false;
    listening.update(place);
    await until("the reply", () => watches.length === 1 && open() === 0);
    listening.update(place);
    listening.follow(place);
    assert.equal(listening.live(place), undefined);
    assert.equal(watches.length, 1);
  });

  it("end when the user signs out", async () => {
    followsAll = true;
    listening.update(place);
    await untilLive();
    listening.remove("acme");
    assert.equal(open(), 0);
    assert.deepEqual(listening.latest(place), []);
  });
});
