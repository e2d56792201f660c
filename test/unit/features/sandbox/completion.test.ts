import assert from "node:assert/strict";
import { commitRepository, promoteAndSeed } from "../../../../src/api/families/sandbox.ts";
import type { FollowedWork, ReadWork } from "../../../../src/features/sandbox/completion.ts";
import { reportCommit, reportCompletion, reportPromotion } from "../../../../src/features/sandbox/completion.ts";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { editor, nextMessage, type ShownMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { bodyOf, fakePlatform, json } from "../../api/fake-platform.ts";

const request = { id: "r1", commitName: "v5", started: "2026-01-05T08:00:00Z" };

/** The message after these readings, and whether the lists were refreshed before it. */
async function shownAfter(
  readings: readonly (Awaited<ReturnType<ReadWork>> | Error)[],
): Promise<{ readonly message: ShownMessage; readonly read: number; readonly isRefreshed: boolean }> {
  let read = 0;
  let isRefreshed = false;
  const work: FollowedWork = {
    name: "Order apps",
    words: {
      running: "Committing Order apps",
      done: (name) => `Committed ${name}.`,
      warned: (name) => `Committed ${name} with warnings.`,
      failed: (name) => `The commit of ${name} failed.`,
      unknown: "Nobody knows.",
    },
    read: async () => {
      const reading = readings[Math.min(read, readings.length - 1)];
      read += 1;
      if (reading instanceof Error) throw reading;
      return reading;
    },
    resource: (id, name) => ({ type: "commitRequest", tenantId: "acme", id, name }),
    onEnded: async () => {
      isRefreshed = true;
    },
    sleep: async () => undefined,
  };
  const shown = nextMessage();
  const reported = reportCompletion(work);
  const message = await shown;
  message.choose();
  await reported;
  return { message, read, isRefreshed };
}

describe("the end of a commit or promotion", () => {
  for (const [status, severity, text, items] of [
    ["COMPLETED", "information", "Committed Order apps v5.", []],
    ["COMPLETED_WITH_WARNINGS", "warning", "Committed Order apps v5 with warnings.", ["Show Details"]],
    ["FAILED", "error", "The commit of Order apps v5 failed.", ["Show Details"]],
  ] as const) {
    it(`is reported once: ${status}`, async () => {
      const { message, read, isRefreshed } = await shownAfter([
        { ...request, status: "QUEUED" },
        { ...request, status: "PROCESSING" },
        { ...request, status, completed: "2026-01-05T08:00:02Z" },
      ]);
      assert.equal(read, 3);
      assert.ok(isRefreshed);
      assert.deepEqual([message.severity, message.text, message.items], [severity, text, items]);
    });
  }

  it("is awaited across reads that fail or don't list it yet", async () => {
    const { message } = await shownAfter([new Error("503"), undefined, { ...request, status: "COMPLETED" }]);
    assert.equal(message.text, "Committed Order apps v5.");
  });

  it("stays unknown if the work can't be read", async () => {
    const { message, read } = await shownAfter([undefined]);
    assert.deepEqual([message.severity, message.text, read], ["warning", "Nobody knows.", 5]);
  });

  it("is not polled while the window is in the background", async () => {
    let read = 0;
    editor.focus(false);
    const shown = nextMessage();
    let wasPaused = (): void => undefined;
    const paused = new Promise<void>((resolve) => {
      wasPaused = resolve;
    });
    const reported = reportCompletion({
      name: "Order apps",
      words: { running: "", done: (name) => name, warned: () => "", failed: () => "", unknown: "" },
      read: async () => {
        read += 1;
        return { ...request, status: "COMPLETED" };
      },
      resource: (id, name) => ({ type: "commitRequest", tenantId: "acme", id, name }),
      onEnded: async () => undefined,
      sleep: async () => wasPaused(),
    });
    await paused;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(read, 0);
    editor.focus(true);
    (await shown).choose();
    await reported;
    assert.equal(read, 1);
  });

  it("is not awaited or reported after signing out", async () => {
    let isShown = false;
    void nextMessage().then(() => {
      isShown = true;
    });
    let read = 0;
    let isRefreshed = false;
    await reportCompletion({
      name: "Order apps",
      words: { running: "", done: (name) => name, warned: () => "", failed: () => "", unknown: "" },
      read: async () => {
        read += 1;
        if (read === 2) throw new AccessError("signedOut", { tenantId: "acme" }, "signed out");
        return { ...request, status: "QUEUED" };
      },
      resource: (id, name) => ({ type: "commitRequest", tenantId: "acme", id, name }),
      onEnded: async () => {
        isRefreshed = true;
      },
      sleep: async () => undefined,
    });
    await new Promise(setImmediate);
    assert.deepEqual([read, isRefreshed, isShown], [2, false, false]);
  });

  for (const [prefilled, response] of [
    ["nothing", null],
    ["an object without ids", { accepted: true }],
  ] as const) {
    it(`is recognized by the sent id if the platform responds with ${prefilled}`, async () => {
      const sent: string[] = [];
      const fake = fakePlatform((request) => {
        if (request.path.includes("/search") || request.method === "GET") {
          const of = (pusherEventId: string) => ({ id: pusherEventId, pusherEventId, status: "COMPLETED" });
          const own = { ...of(sent.at(-1) ?? ""), commitName: "v5" };
          const items = [{ ...of("another"), commitName: "v4" }, own];
          return json(200, { items });
        }
        sent.push(String(bodyOf(request).pusherEventId));
        return json(200, response);
      });
      const client = fake.platform;
      const connect = async () => client;
      const of = { connect, tenantId: "acme", repositoryId: "r", name: "Order apps", onEnded: async () => undefined };
      const committed = nextMessage();
      await reportCommit(of, await commitRepository(client, "r", { summary: "s" }));
      assert.equal((await committed).text, "Committed Order apps v5.");
      const promoted = nextMessage();
      const place = { repositoryId: "r", deploymentId: "d" };
      await reportPromotion(of, await promoteAndSeed(client, place, { commitId: "c", mapping: [] }), "acme.example");
      assert.equal((await promoted).text, "Promoted Order apps v5 to acme.example.");
    });
  }
});
