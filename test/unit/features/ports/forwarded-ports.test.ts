import assert from "node:assert/strict";
import { connect } from "node:net";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import { silentLog } from "../../../../src/api/http/log.ts";
import { ForwardedPorts } from "../../../../src/features/ports/forwarded-ports.ts";
import { ListeningPorts } from "../../../../src/features/ports/listening-ports.ts";
import { EventEmitter } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { FakeCompanion } from "../../api/companion/tunnel/fake-companion.ts";

describe("The forwarded ports of a window", () => {
  const sales = { tenantId: "acme", workspaceId: "sales", port: 8501 };
  const other = { tenantId: "other", workspaceId: "churn", port: 8502 };
  let signOut: EventEmitter<string>;
  let companion: FakeCompanion;
  let ports: ForwardedPorts;

  beforeEach(() => {
    signOut = new EventEmitter();
    companion = new FakeCompanion();
    const services = {
      secrets: { onDidSignOut: signOut.event },
      companions: {
        get: async () => companion as unknown as Companion,
        running: () => undefined,
      },
      listening: new ListeningPorts({
        companions: { running: () => undefined } as never,
        log: silentLog as never,
        presence: { isPresent: true, onChange: () => ({ dispose: () => {} }) },
        followsAll: () => false,
      }),
    };
    ports = new ForwardedPorts(services as unknown as ConstructorParameters<typeof ForwardedPorts>[0]);
  });
  afterEach(() => ports.dispose());

  /** Connects to a forwarded port. Resolves when the connection has ended. */
  function connection({ localPort }: { readonly localPort: number }): { readonly ended: Promise<unknown> } {
    const socket = connect(localPort, "127.0.0.1");
    socket.on("error", () => {});
    return { ended: new Promise((resolve) => socket.once("close", resolve)) };
  }

  const localPortOf = (port: number): number => {
    const row = ports.rows.find((one) => one.port === port);
    assert.equal(row?.type, "forwarded");
    return row.type === "forwarded" ? row.localPort : 0;
  };

  it("end at once when the user signs out of their tenant, with their connections", async () => {
    await ports.forward(sales);
    await ports.forward(other);
    const { ended } = connection({ localPort: localPortOf(8501) });
    await until("the connection", () => companion.frames.length > 0);
    signOut.fire("acme");
    await ended;
    assert.deepEqual(
      ports.rows.map(({ port }) => port),
      [8502],
    );
    assert.equal(companion.isCanceled, true);
  });

  it("end with the window", async () => {
    await ports.forward(sales);
    const { ended } = connection({ localPort: localPortOf(8501) });
    await until("the connection", () => companion.frames.length > 0);
    ports.dispose();
    await ended;
    assert.deepEqual(ports.rows, []);
  });

  it("are listed once, and until they are stopped", async () => {
    await Promise.all([ports.forward(sales), ports.forward(sales)]);
    assert.equal(ports.rows.length, 1);
    const address = await ports.addressOf(sales);
    assert.equal(address?.authority, `127.0.0.1:${localPortOf(8501)}`);
    const url = new URL("http://localhost:8501/app/?page=2&q=a%20b#top");
    assert.equal(
      (await ports.addressOf(sales, url))?.toString(true),
      `http://127.0.0.1:${localPortOf(8501)}/app/?page=2&q=a b#top`,
    );
    ports.stop(sales);
    assert.deepEqual(ports.rows, []);
    assert.equal(await ports.addressOf(sales), undefined);
  });
});
