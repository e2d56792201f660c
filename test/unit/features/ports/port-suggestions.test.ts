import assert from "node:assert/strict";
import type { ListeningPort } from "../../../../src/api/companion/operations/ports.ts";
import {
  type PortSuggestion,
  PortSuggestions,
  type SuggestionMode,
} from "../../../../src/features/ports/port-suggestions.ts";
import type { CompanionPlace } from "../../../../src/tenants/companions.ts";
import { EventEmitter } from "../../../harness/editor-stand-in/vscode.ts";

describe("suggested ports", () => {
  const place = { tenantId: "acme", workspaceId: "sales" };
  let changed: EventEmitter<CompanionPlace>;
  let live: readonly ListeningPort[] | undefined;
  let mode: SuggestionMode;
  let forwarded: number[];
  let offered: string[];
  let decide: (() => void)[];
  let suggestions: PortSuggestions;

  beforeEach(() => {
    changed = new EventEmitter();
    live = undefined;
    mode = "ask";
    forwarded = [];
    offered = [];
    decide = [];
    suggestions = new PortSuggestions({
      listening: { live: () => live, onDidChange: changed.event } as never,
      isForwarded: ({ port }) => forwarded.includes(port),
      mode: () => mode,
      offer: ({ type, port, name, url }: PortSuggestion) => {
        offered.push(`${type} ${port} ${name} ${url?.pathname}`);
        return new Promise((resolve) => decide.push(resolve));
      },
    });
  });
  afterEach(() => suggestions.dispose());

  const listen = (...ports: readonly (number | ListeningPort)[]): void => {
    live = ports.map((port) => (typeof port === "number" ? { port, name: "streamlit", isEphemeral: false } : port));
    changed.fire(place);
  };
  const print = (port: number, path: string | undefined = "/", isAnnounced = true): void =>
    suggestions.printed([{ port, url: new URL(`http://localhost:${port}${path}`), isAnnounced }], {
      ...{ place, name: "a.ipynb" },
    });
  const taken = (): readonly string[] => offered.splice(0);
  const answer = async (): Promise<void> => {
    for (const one of decide.splice(0)) one();
    await new Promise(setImmediate);
  };

  it("are those that output shows, if no companion says otherwise", () => {
    print(8501, "/app");
    suggestions.printed([{ port: 3000, url: undefined, isAnnounced: true }], { place, name: "a.ipynb" });
    assert.deepEqual(taken(), ["printed 8501 a.ipynb /app"]);
  });

  it("are mere mentions of a URL only if a program began to listen there, or if a cell serves it", () => {
    print(8501, "/", false);
    listen(3141, 8080, { port: 9000, name: "kernel", isEphemeral: false });
    print(3141, "/", false);
    print(9000, "/", false);
    assert.deepEqual(taken(), ["printed 9000 a.ipynb /"]);
    mode = "output";
    print(8000, "/", false);
    listen(3141, 8000, 8002);
    assert.deepEqual(taken(), ["printed 8000 a.ipynb /"]);
    print(8002, "/", false);
    listen(3141);
    listen(3141, 8080);
    print(8080, "/", false);
    assert.deepEqual(taken(), ["printed 8002 a.ipynb /", "printed 8080 a.ipynb /"]);
  });

  it("wait for a program that listens, so that Jupyter's own are never suggested", () => {
    listen();
    print(8888);
    suggestions.printed([{ port: 3000, url: undefined, isAnnounced: true }], { place, name: "a.ipynb" });
    assert.deepEqual(taken(), []);
    listen(3000);
    assert.deepEqual(taken(), ["printed 3000 a.ipynb undefined"]);
  });

  it("are those on which a program begins to listen, but not those from before", () => {
    listen(5000);
    listen(5000, 8501);
    listen(5000);
    listen(5000, 8501);
    assert.deepEqual(taken(), ["listening 8501 streamlit undefined"]);
  });

  it("are suggested once, by the output or because something listens", async () => {
    listen();
    print(8501);
    listen(8501);
    await answer();
    print(8501);
    listen(8501, 8502);
    await answer();
    print(8502);
    assert.deepEqual(taken(), ["printed 8501 a.ipynb /", "listening 8502 streamlit undefined"]);
    listen();
    print(8501);
    listen(8501);
    assert.deepEqual(taken(), ["printed 8501 a.ipynb /"]);
  });

  it("aren't asked about twice at a time", async () => {
    print(8501);
    print(8501);
    assert.equal(taken().length, 1);
    await answer();
    print(8501);
    assert.equal(taken().length, 1);
  });

  it("have a known program, and a number that it chose", () => {
    listen();
    listen({ port: 40_000, name: "java", isEphemeral: true }, { port: 8502, name: "", isEphemeral: false });
    assert.deepEqual(taken(), []);
    print(40_000);
    assert.deepEqual(taken(), ["printed 40000 a.ipynb /"]);
  });

  it("are no clusters", () => {
    listen();
    listen(8786, 8787, 8788, 8789);
    for (let port = 9000; port < 9020; port += 1) listen(port);
    assert.equal(taken().length, 10);
  });

  it("follow the setting, and forwarded ports need none", () => {
    listen();
    mode = "output";
    listen(8501);
    assert.deepEqual(taken(), []);
    print(8501);
    assert.equal(taken().length, 1);
    mode = "off";
    listen(8501, 8502);
    print(8502);
    mode = "ask";
    forwarded = [8503];
    listen(8501, 8502, 8503);
    print(8503);
    assert.deepEqual(taken(), []);
  });

  it("are new for another account", () => {
    listen();
    suggestions.remove("acme");
    listen(8501);
    assert.deepEqual(taken(), []);
  });
});
