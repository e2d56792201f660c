import assert from "node:assert/strict";
import { Uri } from "vscode";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import type { FailedOperation } from "../../../../src/file-system/provider/failed-operation.ts";
import { FailedOperations } from "../../../../src/file-system/provider/failed-operations.ts";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { editor, StandInDocument } from "../../../harness/editor-stand-in/vscode.ts";
import { SimulatedClock } from "../simulated-clock.ts";

describe("failed operations", () => {
  let offers: string[];
  let response: () => Promise<void>;
  let refreshed: string[];
  let fail: (
    authority: string,
    path: string,
    action?: FailedOperation["action"],
    obstacle?: ConstructorParameters<typeof AccessError>[0],
  ) => void;
  let failed: FailedOperations;
  let clock: SimulatedClock;
  let isReachable: boolean;
  let checks: number;

  beforeEach(() => {
    clock = new SimulatedClock();
    isReachable = false;
    checks = 0;
    offers = [];
    response = async () => undefined;
    refreshed = [];
    failed = new FailedOperations(
      {
        isReachable: async () => {
          checks += 1;
          return isReachable;
        },
        refresh: (tenantId, workspaceId) => refreshed.push(`${workspaceId}.${tenantId}`),
        deleteTenant: (tenantId) => refreshed.push(`all of ${tenantId}`),
      },
      (_, { tenantId, workspaceId }) => {
        offers.push(`${workspaceId}.${tenantId}`);
        return response();
      },
      clock,
    );
    fail = (authority, path, action = "read", type = "stopped") => {
      const [workspaceId = "", tenantId = ""] = authority.split(".");
      const error = new AccessError(type, { tenantId, workspaceId }, "It does not run.");
      const uri = Uri.from({ scheme: "platform-contents", authority, path: `/${path}` });
      failed.add({ uri, action, error });
    };
  });

  /** A text file without changes that is open, and the number of its saves. */
  function openFile(path: string): { document: StandInDocument; saves: () => number } {
    const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: `/${path}` });
    const document = new StandInDocument(uri, Buffer.from("one = 1"), false);
    let saves = 0;
    document.save = async () => {
      saves += 1;
      return true;
    };
    editor.open(document);
    return { document, saves: () => saves };
  }

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  describe("of an unreachable server", () => {
    const error = new PlatformError({
      kind: "crud",
      operationId: "contents.update",
      entity: "kept.py",
      failure: "Can't save kept.py",
      reason: "the server can't be reached",
      cause: { type: "network", code: "ECONNREFUSED", reachedServer: false },
    });
    const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/kept.py" });

    it("are retried by themselves when it responds, without a message", async () => {
      const { document, saves } = openFile("kept.py");
      editor.setDirty(document, true);
      failed.add({ uri, action: "look", error });
      failed.add({ uri, action: "save", error });
      await clock.pass(120_000);
      assert.ok(checks >= 8 && checks <= 12, `${checks} checks in two minutes`);
      assert.deepEqual([saves(), refreshed], [0, []]);
      isReachable = true;
      await clock.pass(15_000);
      assert.deepEqual([saves(), refreshed, offers], [1, ["sales.acme"], []]);
      const after = checks;
      await clock.pass(600_000);
      assert.equal(checks, after, "nothing is left to retry");
      editor.setDirty(document, false);
      editor.close(document);
    });

    it("are not asked for while the window has no focus, unless something is unsaved", async () => {
      editor.focus(false);
      try {
        failed.add({ uri, action: "read", error });
        await clock.pass(60_000);
        assert.equal(checks, 0);
        failed.add({ uri, action: "save", error });
        await clock.pass(10_000);
        assert.ok(checks > 0);
      } finally {
        editor.focus(true);
      }
    });

    it("are retried less and less often if only they fail", async () => {
      const { document } = openFile("kept.py");
      editor.setDirty(document, true);
      let saves = 0;
      document.save = async () => {
        saves += 1;
        failed.add({ uri, action: "save", error });
        return false;
      };
      isReachable = true;
      failed.add({ uri, action: "save", error });
      await clock.pass(60_000);
      const first = saves;
      assert.ok(first >= 3 && first <= 5, `${first} saves in the first minute`);
      await clock.pass(600_000);
      assert.ok(saves - first <= 6, `${saves - first} saves in the next ten minutes`);
      failed.dispose();
      const last = saves;
      await clock.pass(600_000);
      assert.equal(saves, last, "it was disposed of");
      editor.setDirty(document, false);
      editor.close(document);
    });
  });

  it("shows one message per workspace and cause", async () => {
    fail("sales.acme", "a.txt");
    fail("sales.acme", "b.txt");
    await settled();
    fail("sales.acme", "c.txt");
    await settled();
    assert.deepEqual(offers, ["sales.acme"]);
  });

  it("shows none for an editor's save, whose failure the editor shows itself, and retries the save", async () => {
    const { document, saves } = openFile("kept.py");
    editor.setDirty(document, true);
    fail("sales.acme", "kept.py", "look");
    fail("sales.acme", "", "look");
    fail("sales.acme", "kept.py", "save");
    await settled();
    assert.deepEqual(offers, []);
    await failed.recover("acme", "sales");
    assert.equal(saves(), 1);
    editor.setDirty(document, false);
    editor.close(document);
    fail("sales.acme", "kept.py", "look");
    await settled();
    assert.deepEqual(offers, ["sales.acme"]);
  });

  it("shows none for an editor's save of a file without changes, and retries it if the editor keeps it unsaved", async () => {
    const { document, saves } = openFile("clean.py");
    fail("sales.acme", "clean.py", "look");
    fail("sales.acme", "clean.py", "save");
    await settled();
    assert.deepEqual(offers, []);
    await failed.recover("acme", "sales");
    assert.equal(saves(), 0, "a file without changes was saved over a version that may be newer");
    fail("sales.acme", "clean.py", "save");
    editor.setDirty(document, true);
    await failed.recover("acme", "sales");
    assert.equal(saves(), 1);
    editor.setDirty(document, false);
    editor.close(document);
    fail("sales.acme", "clean.py", "save");
    await settled();
    assert.deepEqual(offers, ["sales.acme"]);
  });

  for (const problem of ["noToken", "signedOut"] as const) {
    it(`shows none for an editor's save without a token (${problem}), and one for other failures`, async () => {
      const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/kept.py" });
      const document = new StandInDocument(uri, Buffer.from("kept = True"), false);
      const outcomes = [
        () => fail("sales.acme", "kept.py", "save", problem),
        () => fail("sales.acme", "", "look", problem),
      ];
      document.save = async () => {
        for (const outcome of outcomes) outcome();
        return false;
      };
      editor.open(document);
      editor.setDirty(document, true);
      fail("sales.acme", "kept.py", "look", problem);
      fail("sales.acme", "kept.py", "save", problem);
      // While the editor shows the failed save, the Explorer needs no separate message.
      fail("sales.acme", "", "look", problem);
      await failed.recover("acme", "sales");
      await settled();
      assert.deepEqual(offers, []);
      fail("sales.acme", "other.py", "read", problem);
      await settled();
      assert.deepEqual(offers, ["sales.acme"]);
      editor.setDirty(document, false);
      editor.close(document);
    });

    it(`shows one for an unreadable folder while a file has unsaved changes (${problem})`, async () => {
      const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/kept.py" });
      const document = new StandInDocument(uri, Buffer.from("kept = True"), false);
      editor.open(document);
      editor.setDirty(document, true);
      fail("sales.acme", "", "look", problem);
      await settled();
      assert.deepEqual(offers, ["sales.acme"]);
      editor.close(document);
    });
  }

  it("shows none for an outage that blocks an editor's save, and one for a file that is only viewed", async () => {
    const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/clean.py" });
    const document = new StandInDocument(uri, Buffer.from("clean = True"), false);
    const error = new Error("Down for maintenance");
    editor.open(document);
    editor.setDirty(document, true);
    failed.add({ uri, action: "look", error });
    failed.add({ uri, action: "save", error });
    await settled();
    assert.deepEqual(offers, []);
    editor.setDirty(document, false);
    failed.add({ uri, action: "look", error });
    await settled();
    assert.deepEqual(offers, ["sales.acme"]);
    editor.close(document);
  });

  it("rereads nothing after a new token if nothing has failed, as when a window opens", async () => {
    await failed.recover("acme", "sales");
    await failed.recoverTenant("acme");
    assert.deepEqual(refreshed, []);
  });

  it("shows it again after the workspace has recovered", async () => {
    fail("sales.acme", "a.txt");
    await settled();
    await failed.recover("acme", "sales");
    assert.deepEqual(refreshed, ["sales.acme"]);
    fail("sales.acme", "a.txt");
    await settled();
    assert.deepEqual(offers, ["sales.acme", "sales.acme"]);
  });

  it("shows it again after its own action led to the recovery", async () => {
    response = () => failed.recover("acme", "sales");
    fail("sales.acme", "a.txt");
    await settled();
    fail("sales.acme", "a.txt");
    await settled();
    assert.deepEqual(offers, ["sales.acme", "sales.acme"]);
  });

  it("shows none for reads of a signed-out tenant until the user signs in", async () => {
    failed.signedOut("acme");
    assert.deepEqual(refreshed, ["all of acme"]);
    fail("sales.acme", "a", "look");
    fail("sales.other", "a", "look");
    await settled();
    assert.deepEqual(offers, ["sales.other"]);
    await failed.recoverTenant("acme");
    assert.deepEqual(refreshed, ["all of acme", "sales.acme"]);
    fail("sales.acme", "a", "look");
    await settled();
    assert.deepEqual(offers, ["sales.other", "sales.acme"]);
  });

  it("keeps the dismissed message of a tenant whose id begins with that of the recovered one", async () => {
    fail("sales.acme2", "a.txt");
    await settled();
    await failed.recover("acme", "sales");
    fail("sales.acme2", "a.txt");
    await settled();
    assert.deepEqual(offers, ["sales.acme2"]);
  });

  it("recovers every workspace of a tenant and no others", async () => {
    fail("sales.acme", "a.txt");
    fail("costs.acme", "a.txt");
    fail("sales.big-acme", "a.txt");
    await settled();
    await failed.recoverTenant("acme");
    assert.deepEqual(refreshed.toSorted(), ["costs.acme", "sales.acme"]);
  });
});
