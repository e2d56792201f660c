import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { NotebookToken } from "../../../../src/api/http/credentials.ts";
import { silentLog } from "../../../../src/api/http/log.ts";
import { offerJupyterServers, offerWhenActive } from "../../../../src/features/kernels/jupyter-servers.ts";
import { extensions } from "../../../harness/editor-stand-in/vscode.ts";

type Parts = Parameters<typeof offerJupyterServers>[1];

interface Server {
  readonly id: string;
  readonly label: string;
  readonly connectionInformation?: { readonly baseUrl: vscode.Uri; readonly token: string };
}

interface Provider {
  provideJupyterServers(token: object): Promise<readonly Server[]>;
  resolveJupyterServer(server: Server, token: object): Promise<Server>;
}

const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
const base = new URL("https://notebooks.example.com/user/ada/3f2a9c1e/");

/** The tenant's client returns one page: a running workspace, and one that is stopped. */
function parts(saved: NotebookToken | undefined): Parts {
  const running = { id: "one", name: "Sales", instances: [{ id: "i", status: "RUNNING" }] };
  const client = { call: async () => ({ workspaces: [running, { id: "two", name: "Old", instances: [] }] }) };
  return {
    connections: {
      platform: async () => client,
      cacheWorkspace: async () => undefined,
      contentServer: async () => base,
    },
    registry: { current: { id: "acme" } },
    secrets: { notebookToken: async () => saved },
  } as unknown as Parts;
}

describe("workspaces as servers of the Jupyter extension", () => {
  /** The values that the other extension gets. */
  function offered(saved: NotebookToken | undefined): Provider {
    const given: Provider[] = [];
    const offering = offerJupyterServers(
      {
        createJupyterServerCollection: (_id: string, _label: string, provider: Provider) => {
          given.push(provider);
          return { dispose: () => undefined };
        },
      },
      parts(saved),
    );
    assert.ok(offering !== undefined && given[0] !== undefined);
    return given[0];
  }

  it("are the running ones", async () => {
    const servers = await offered(undefined).provideJupyterServers(token);
    assert.deepEqual(servers, [{ id: "one.acme", label: "Sales" }]);
  });

  it("have an address and token once chosen", async () => {
    const provider = offered(new NotebookToken(base.origin, "secret-of-the-notebook"));
    const resolved = await provider.resolveJupyterServer({ id: "one.acme", label: "Sales" }, token);
    assert.equal(resolved.connectionInformation?.baseUrl.toString(true), base.href);
    assert.equal(resolved.connectionInformation?.token, "secret-of-the-notebook");
  });

  it("don't share a token that was entered for another address", async () => {
    const server = { id: "one.acme", label: "Sales" };
    for (const saved of [undefined, new NotebookToken("https://elsewhere.example.com", "secret")]) {
      await assert.rejects(offered(saved).resolveJupyterServer(server, token), /no notebook token for Sales/);
    }
  });

  it("are not offered to an extension with another interface", () => {
    for (const other of [undefined, null, {}, { createJupyterServerCollection: 1 }]) {
      assert.equal(offerJupyterServers(other, parts(undefined)), undefined);
    }
  });

  it("are logged as a failure if that extension fails", () => {
    const createJupyterServerCollection = (): never => {
      throw new Error("no collection");
    };
    const logged: string[] = [];
    extensions.getExtension = () => ({ isActive: true, exports: { createJupyterServerCollection } });
    try {
      const log = { ...silentLog, error: (line: string) => logged.push(line), show: () => {} };
      offerWhenActive({ ...parts(undefined), log, subscriptions: [] });
    } finally {
      extensions.getExtension = () => undefined;
    }
    assert.deepEqual(logged, ["kernels: no collection"]);
  });
});
