import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import {
  CompanionLostError,
  CompanionOperationError,
  CompanionUnavailableError,
} from "../../../../src/api/companion/errors.ts";
import { phrase } from "../../../../src/api/phrase.ts";
import { FrameSession, plainView } from "../../../../src/features/data-explorer/frame-session.ts";
import { type PanelMessage, panelMessage } from "../../../../src/features/data-explorer/messages.ts";
import { readingCode } from "../../../../src/features/data-explorer/reading-code.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { until } from "../../../harness/until.ts";

const columns = [{ name: "a", type: "int64", category: "number" as const }];
const frame = { kind: "pandas", rows: 5, shown: 5, width: 1, columns, indexNames: [""], isPart: false };
const view = { ...plainView, sorting: [{ column: 0, descending: true }] };

/** A session whose companion replies with what the function returns for an operation. */
function startSession(reply: (operation: string, parameters: Record<string, unknown>) => unknown) {
  const posted: PanelMessage[] = [];
  const copied: string[] = [];
  const operations: string[] = [];
  const asked: { name: string; parameters: Record<string, unknown> }[] = [];
  const companion = {
    end: undefined,
    async request({ name }: { name: string }, parameters: Record<string, unknown>) {
      operations.push(name);
      asked.push({ name, parameters });
      return reply(name, parameters);
    },
  } as unknown as Companion;
  const session = new FrameSession({
    origin: { name: "df", parameters: { expression: "df" }, companion: async () => companion },
    actions: [],
    runAction: () => {},
    post: (message) => void posted.push(panelMessageOf(message)),
    copy: async (text) => void copied.push(text),
    warn: () => {},
  });
  const last = async (type: PanelMessage["type"]): Promise<PanelMessage> => {
    await until(type, () => posted.at(-1)?.type === type);
    return posted.at(-1) ?? assert.fail();
  };
  return { session, posted, copied, operations, asked, last };
}

/** The message as the page reads it. */
function panelMessageOf(message: PanelMessage): PanelMessage {
  const { success, data } = panelMessage.safeParse(message);
  assert.ok(success, JSON.stringify(message));
  return data;
}

const page = { type: "page", id: 1, view, start: 0, stop: 1, firstColumn: 0, lastColumn: 1 };

describe("a tab of the data explorer", () => {
  it("opens the frame, reads pages, and copies", async () => {
    const { session, copied, operations, last } = startSession((operation) => {
      switch (operation) {
        case "frames.open":
          return { ...frame, id: "f" };
        case "frames.page":
          return { labels: [["0"]], cells: [["1"]] };
        case "frames.code":
          return { code: "df\n" };
        default:
          return {};
      }
    });
    session.handle({ type: "open", view });
    assert.deepEqual(await last("opened"), { type: "opened", frame: { ...frame, id: "f" }, view });
    session.handle(page);
    assert.deepEqual(await last("page"), { type: "page", id: 1, page: { labels: [["0"]], cells: [["1"]] } });
    session.handle({ type: "copyCode", id: 2, view });
    await last("copied");
    assert.deepEqual(copied, ["df\n"]);
    session.dispose();
    assert.equal(operations.at(-1), "frames.close");
  });

  it("doesn't open a frame again with a view that was cancelled while its reply was on the way", async () => {
    const computed = Promise.withResolvers<{ shown: number }>();
    const { session, posted, asked, last } = startSession((operation) =>
      operation === "frames.view" ? computed.promise : { ...frame, id: "f" },
    );
    session.handle({ type: "open", view: plainView });
    await last("opened");
    session.handle({ type: "view", id: 1, view });
    session.handle({ type: "cancel", id: 1 });
    computed.resolve({ shown: 5 });
    await new Promise(setImmediate);
    assert.equal(posted.at(-1)?.type, "opened");
    session.refresh();
    await until("the frame", () => posted.filter(({ type }) => type === "opened").length === 2);
    assert.deepEqual(asked.filter(({ name }) => name === "frames.open").at(-1)?.parameters.view, plainView);
  });

  it("ignores messages that aren't the page's", async () => {
    const { session, operations } = startSession(() => ({}));
    for (const message of [
      undefined,
      "open",
      { type: "open" },
      { ...page, start: -1 },
      { type: "page", id: 1, view },
    ]) {
      session.handle(message);
    }
    await new Promise(setImmediate);
    assert.deepEqual(operations, []);
  });

  it("opens a changed frame again, without the view if it has other columns", async () => {
    let opened = 0;
    const { session, posted, last } = startSession((operation, parameters) => {
      if (operation === "frames.open") {
        opened += 1;
        if (opened > 1 && (parameters.view as typeof view).sorting.length > 0) {
          throw new CompanionOperationError("changed", "The data has changed.");
        }
        return { ...frame, id: `f${opened}` };
      }
      if (parameters.id === "f1") {
        throw new CompanionOperationError("changed", "The data has changed.");
      }
      return { labels: [], cells: [] };
    });
    session.handle({ type: "open", view });
    await last("opened");
    session.handle(page);
    await until("the second frame", () => posted.filter(({ type }) => type === "opened").length === 2);
    assert.deepEqual(posted.at(-1), { type: "opened", frame: { ...frame, id: "f3" }, view: plainView });
  });

  it("doesn't open a frame forever that changes all the time", async () => {
    const { session, posted } = startSession((operation) => {
      if (operation === "frames.open") {
        return { ...frame, id: "f" };
      }
      throw new CompanionOperationError("changed", "The data has changed.");
    });
    session.handle({ type: "open", view });
    const opened = (): number => posted.filter(({ type }) => type === "opened").length;
    for (let round = 1; round <= 4; round += 1) {
      await until("an open frame", () => opened() === round);
      session.handle({ ...page, id: round });
    }
    await until("the error", () => posted.at(-1)?.type === "error");
    assert.equal(opened(), 4);
  });

  it("says in one sentence why nothing is shown", async () => {
    for (const [error, text] of [
      [new CompanionOperationError("gone", "x"), "df isn't defined in the kernel. Run the cell that sets it."],
      [new CompanionOperationError("invalid", "ValueError: no"), "Can't read df. ValueError: no"],
      [new CompanionLostError(phrase`The companion ended.`), "Can't read df. The companion ended."],
      [new CompanionUnavailableError("off", phrase`It is off.`), "Can't read df. It is off."],
    ] as const) {
      const { session, last } = startSession(() => {
        throw error;
      });
      session.handle({ type: "open", view: plainView });
      assert.deepEqual(await last("failed"), { type: "failed", text, actions: [] });
    }
  });

  it("shows nothing more of a frame that is lost, and reads a changed one again unless that takes long", async () => {
    let rows = 5;
    const { session, posted, last } = startSession((operation) =>
      operation === "frames.open" ? { ...frame, rows, id: "f" } : { labels: [], cells: [] },
    );
    session.handle({ type: "open", view });
    await last("opened");
    session.handle(page);
    session.fail("The data is gone.");
    await new Promise(setImmediate);
    assert.deepEqual(posted.at(-1), { type: "failed", text: "The data is gone.", actions: [] });
    rows = 2_000_000;
    session.refresh();
    await last("opened");
    session.refresh();
    assert.equal(posted.at(-1)?.type, "outdated");
  });
});

describe("the code that reads a file", () => {
  it("has the name as a literal", () => {
    const hostile = `<img src=x onerror="alert(1)">"); import os #.parquet`;
    const line = readingCode(uriOf("acme", "w-1", hostile)).split("\n")[2] ?? "";
    assert.equal(JSON.parse(line.slice("df = pd.read_parquet(".length, -1)), hostile);
    assert.match(
      readingCode(vscode.Uri.parse(String(uriOf("acme", "w-1", "a/b.tsv")))),
      /read_csv\("b\.tsv", sep="\\t"\)/,
    );
  });
});
