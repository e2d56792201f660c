import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Era, startToolRig, type ToolClient, type ToolRig } from "./tools-rig.ts";

interface Structured {
  readonly result?: unknown;
  readonly part?: string;
  readonly from?: number;
  readonly of?: number;
  readonly nextCursor?: string;
  readonly remark?: string;
  readonly error?: { readonly kind: string; readonly message: string };
}

/** Calls a tool. Its result is JSON text, and a failure its message. */
async function call(client: ToolClient, name: string, given: Record<string, unknown> = {}): Promise<Structured> {
  const response = await client.callTool({ name, arguments: given });
  const [content] = response.content;
  assert.ok(content?.type === "text");
  if (response.isError === true) {
    const structured = response.structuredContent as Structured;
    assert.equal(content.text, structured.error?.message);
    return structured;
  }
  assert.equal(response.structuredContent, undefined);
  return JSON.parse(content.text);
}

async function refused(client: ToolClient, name: string, given: Record<string, unknown>): Promise<string> {
  const { error } = await call(client, name, given);
  assert.ok(error !== undefined, `${name} fails`);
  return `${error.kind}: ${error.message}`;
}

for (const era of ["2026-07-28", "2025-11-25"] as const satisfies readonly Era[]) {
  describe(`front door: tools on revision ${era}`, () => {
    let rig: ToolRig;
    let client: ToolClient;
    let workspaceId: string;
    let root: string;

    before(async () => {
      rig = await startToolRig();
      client = await rig.client(era);
      const running = rig.tenant.workspaces.find(({ status }) => status === "running");
      assert.ok(running !== undefined);
      workspaceId = running.id;
      root = rig.tenant.contentRoot(workspaceId);
    });
    afterEach(() => {
      rig.proxy.clearFaults();
      rig.proxy.reset();
    });
    after(() => rig.stop());

    it("lists all tools in one page, in the same order each time", async () => {
      const first = await client.listTools();
      const second = await client.listTools();
      assert.ok(first.tools.length > 90);
      assert.deepEqual(
        first.tools.map(({ name }) => name),
        second.tools.map(({ name }) => name),
      );
      assert.equal(first.nextCursor, undefined);
      assert.ok(first.tools.every(({ annotations }) => annotations?.readOnlyHint !== undefined));
    });

    // Proves 1: A front door verifies tokens, checks entitlements
    it("returns a read as text", async () => {
      const { result } = await call(client, "users_me");
      assert.equal((result as { displayName: string }).displayName, "Ada Example");
      assert.deepEqual(rig.reports.at(-1), { tool: "users_me", result: "done" });
    });

    it("walks a paged list by cursor, each item once", async () => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const given = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
        const page = await call(client, "workspaces_search", given);
        ids.push(...(page.result as { workspaces: { id: string }[] }).workspaces.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined && ids.length < 100);
      assert.deepEqual(new Set(ids), new Set(rig.tenant.workspaces.map(({ id }) => id)));
      assert.equal(ids.length, rig.tenant.workspaces.length);
    });

    it("rejects a cursor of other arguments", async () => {
      const { nextCursor } = await call(client, "workspaces_search", { limit: 2 });
      assert.match(await refused(client, "workspaces_search", { limit: 3, cursor: nextCursor }), /^cursor: /);
      assert.match(await refused(client, "users_me", { cursor: "nonsense" }), /^cursor: /);
    });

    it("rejects arguments that the tool doesn't accept, and sends nothing", async () => {
      rig.proxy.reset();
      assert.match(
        await refused(client, "designs_get", { designId: "x", other: 1 }),
        /does not accept other\. It accepts designId/,
      );
      assert.match(await refused(client, "designs_get", {}), /needs designId/);
      assert.match(await refused(client, "designs_get", { designId: ".." }), /^request: .*can't be part of an address/);
      assert.match(await refused(client, "designs_list", { direction: "up" }), /^request: .*one of desc, asc/);
      assert.match(await refused(client, "workspaces_update", { workspaceId: "a", body: "text" }), /^request: .*body/);
      assert.match(await refused(client, "workflows_create", { body: { n: 2 ** 60 } }), /too large/);
      assert.match(await refused(client, "contents_read", { workspaceId, path: "../etc/passwd" }), /^request: /);
      assert.match(
        await refused(client, "contents_write", { workspaceId, path: "a.bin", content: "%%%", encoding: "base64" }),
        /not valid base64/,
      );
      assert.equal(rig.proxy.count(), 0);
      assert.deepEqual(rig.reports.at(-1), { tool: "contents_write", result: "refused" });
    });

    it("returns the platform's message, with its trace id", async () => {
      assert.match(
        await refused(client, "designs_get", { designId: "nothing" }),
        /^appGet: Can't read app design nothing: .*\(404\) \(trace \S+\)\. /,
      );
    });

    it("rejects an unknown tool as the protocol requires", async () => {
      await assert.rejects(client.callTool({ name: "platform_everything", arguments: {} }), /no such tool/);
      assert.deepEqual(rig.reports.at(-1), { tool: "unknown", result: "refused" });
    });

    it("preserves the digits of numbers that JavaScript would change", async () => {
      rig.proxy.addFault({
        match: { path: /user/ },
        action: { kind: "response", status: 200, body: '{"id":9007199254740993,"ratio":1.0}' },
      });
      const response = await client.callTool({ name: "users_me", arguments: {} });
      const [content] = response.content;
      assert.equal(content?.type === "text" ? content.text : "", '{"result":{"id":9007199254740993,"ratio":1.0}}');
    });

    it("never returns a credential, regardless of the platform's response", async () => {
      const secret = rig.tenant.platformToken;
      rig.proxy.addFault({
        match: { path: /user/ },
        action: {
          kind: "response",
          status: 200,
          body: JSON.stringify({ id: 1, echo: `Bearer ${secret}`, token: "abc" }),
        },
      });
      const { result } = await call(client, "users_me");
      assert.deepEqual(result, { id: 1, echo: "Bearer [redacted]", token: "[redacted]" });
      rig.proxy.clearFaults();
      rig.proxy.addFault({
        match: { path: /user/ },
        action: { kind: "response", status: 500, body: JSON.stringify({ message: `bad token ${secret}` }) },
      });
      assert.ok(!(await refused(client, "users_me", {})).includes(secret));
    });

    it("returns no secret in parts, neither the call's own nor one within a text", async () => {
      const planted = 'pl4nted-"s3cret';
      const filling = "x".repeat(59_900);
      const responded = {
        id: 1,
        filling,
        note: JSON.stringify({
          [filling.slice(0, 40)]: 1,
          password: planted,
          inner: JSON.stringify({ token: planted }),
        }),
        clientSecret: planted,
        list: [1, 2].map(() => `${filling} Bearer ${rig.tenant.platformToken}`),
        others: [],
      };
      rig.proxy.addFault({
        match: { path: /user/ },
        action: { kind: "response", status: 200, body: JSON.stringify(responded) },
      });
      let text = "";
      let cursor: string | undefined;
      do {
        const page = await call(client, "users_me", cursor === undefined ? {} : { cursor });
        assert.ok(page.part !== undefined);
        text += page.part;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.ok(text.length > 150_000);
      assert.doesNotMatch(text, /s3cret/);
      assert.ok(!text.includes(rig.tenant.platformToken));
      const { note, clientSecret } = JSON.parse(text);
      assert.equal(clientSecret, "[redacted]");
      assert.equal(JSON.parse(note).password, "[redacted]");
    });

    it("rejects a cursor with a position that the caller chose", async () => {
      const { nextCursor = "" } = await call(client, "workspaces_search", { limit: 2 });
      const [form = "", signature = ""] = nextCursor.split(".");
      const position = JSON.parse(Buffer.from(form, "base64url").toString("utf8"));
      const own = Buffer.from(JSON.stringify({ ...position, skip: 1 })).toString("base64url");
      for (const cursor of [own, `${own}.${signature}`]) {
        assert.match(await refused(client, "workspaces_search", { limit: 2, cursor }), /^cursor: /);
      }
    });

    it("truncates given and stored names in messages", async () => {
      const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, nth) => [`?token\n`.repeat(200) + nth, 1]));
      const message = await refused(client, "users_me", unknown);
      assert.match(message, / and 495 more\. It accepts /);
      assert.ok(message.length < 1000 && !message.includes("\n"), String(message.length));
      const id = '"token'.repeat(2000);
      const named = await refused(client, "workspaces_get", { workspaceId: id });
      assert.ok(named.length < 2000, String(named.length));
      const body = JSON.stringify({ message: '"token'.repeat(2000), toe: "t".repeat(9000) });
      rig.proxy.addFault({ match: { path: /user/ }, action: { kind: "response", status: 500, body } });
      assert.ok((await refused(client, "users_me", {})).length < 2000);
    });

    it("masks other systems' secrets", async () => {
      const text = JSON.stringify(await call(client, "accounts_list"));
      assert.match(text, /"displayName":"File drop".*"password":"\[redacted\]"/);
      assert.doesNotMatch(text, /sample-[a-z-]+-0123/);
    });

    it("rejects ids that could be read as paths, without a request", async () => {
      rig.proxy.reset();
      for (const id of ["..%2fmodels", "a%2F..%2Fb", "%2e%2e", "%2E.", "a/b", "a\\b", "a%5cb"]) {
        assert.match(await refused(client, "designs_get", { designId: id }), /an ID must not contain a slash/, id);
        assert.match(await refused(client, "contents_list", { workspaceId: id }), /an ID must not contain a slash/, id);
        const deleting = await refused(client, "contents_delete", { workspaceId: id, path: "a" });
        assert.match(deleting, /an ID must not contain a slash/, `${id}: ${deleting}`);
      }
      assert.equal(rig.proxy.requests.length, 0);
    });

    it("fetches a rejected credential again", async () => {
      rig.proxy.addFault({ match: { path: /user/ }, action: { kind: "response", status: 401, body: "{}" } });
      rig.renewals.count = 0;
      assert.match(await refused(client, "users_me", {}), /the platform rejected the stored credential \(401\)/);
      assert.deepEqual([rig.renewals.count, rig.forgotten.length], [1, 0]);
      rig.proxy.clearFaults();
      rig.proxy.addFault({ match: { path: "/user/" }, action: { kind: "response", status: 403, body: "{}" } });
      assert.match(await refused(client, "contents_list", { workspaceId }), /Check that the notebook token is valid/);
      assert.deepEqual(rig.forgotten.splice(0), [`notebook-${workspaceId.slice(0, 8)}`]);
    });

    it("lists, creates, reads, and writes a file, each write with the previous version", async () => {
      const path = `notes ${era} ä%#.txt`;
      const made = await call(client, "contents_write", { workspaceId, path, content: "one" });
      const { version: first, created } = made.result as { version: string; created: boolean };
      assert.equal(created, true);
      const listed = await call(client, "contents_list", { workspaceId, recursive: false });
      assert.ok((listed.result as { items: { path: string }[] }).items.some((item) => item.path === path));
      const second = await call(client, "contents_write", { workspaceId, path, content: "two", version: first });
      const { version } = second.result as { version: string };
      const third = await call(client, "contents_write", { workspaceId, path, content: "three", version });
      assert.equal((third.result as { created: boolean }).created, false);
      const read = await call(client, "contents_read", { workspaceId, path });
      const file = read.result as { content: string; encoding: string; version: string };
      assert.deepEqual([file.content, file.encoding], ["three", "text"]);
      assert.equal(file.version, (third.result as { version: string }).version);
      assert.equal(await readFile(join(root, path), "utf8"), "three");
    });

    it("creates several files in a folder concurrently, each with its content", async () => {
      const paths = ["a", "b", "c", "d", "e"].map((name) => `together ${era} ${name}.txt`);
      const outcomes = await Promise.all(
        paths.map((path) => call(client, "contents_write", { workspaceId, path, content: path })),
      );
      assert.deepEqual(
        outcomes.map(({ error }) => error),
        paths.map(() => undefined),
      );
      for (const path of paths) {
        assert.equal(await readFile(join(root, path), "utf8"), path);
      }
    });

    it("never overwrites a version that the caller has not read", async () => {
      const path = `seen ${era}.txt`;
      const { result } = await call(client, "contents_write", { workspaceId, path, content: "mine" });
      const { version } = result as { version: string };
      assert.match(await refused(client, "contents_write", { workspaceId, path, content: "x" }), /^conflict: .*exists/);
      await writeFile(join(root, path), "hers");
      assert.match(
        await refused(client, "contents_write", { workspaceId, path, content: "x", version }),
        /^conflict: .*was changed on the server/,
      );
      assert.equal(await readFile(join(root, path), "utf8"), "hers");
      assert.match(
        await refused(client, "contents_write", { workspaceId, path: `none ${era}.txt`, content: "x", version }),
        /^conflict: .*no longer exists/,
      );
      assert.match(await refused(client, "contents_create_directory", { workspaceId, path }), /\(409\)/);
    });

    it("accepts one of two writes of the same version", async () => {
      const path = `race ${era}.txt`;
      const { result } = await call(client, "contents_write", { workspaceId, path, content: "start" });
      const { version } = result as { version: string };
      const contents = ["left", "right"];
      const outcomes = await Promise.all(
        contents.map((content) => call(client, "contents_write", { workspaceId, path, content, version })),
      );
      const won = contents.filter((_, nth) => outcomes[nth]?.error === undefined);
      assert.equal(outcomes.filter(({ error }) => error?.kind === "conflict").length, 1);
      assert.deepEqual([await readFile(join(root, path), "utf8")], won);
    });

    // Proves 4.2: Recursive listing: checkpoints and recent; Recursive listing: it is recursive by default
    // Proves 4.2: Recursive listing: the result is flat, with the starting item
    // Proves 4.2: Recursive listing: file types apply only to files
    it("lists with the options of the recursive listing, and always skips certain items", async () => {
      const folder = `listing ${era}`;
      const files = ["a.py", "b.txt", "happy", ".hidden.py", "below/c.py", "left/d.py"];
      for (const name of [...files, ".ipynb_checkpoints/a-checkpoint.py", "recent_executions/e.py"]) {
        await mkdir(dirname(join(root, folder, name)), { recursive: true });
        await writeFile(join(root, folder, name), "x");
      }
      const listed = async (options: object): Promise<readonly string[]> => {
        const { result } = await call(client, "contents_list", { workspaceId, path: folder, ...options });
        const { items } = result as { readonly items: readonly { readonly path: string }[] };
        assert.equal(items[0]?.path, folder);
        return items
          .slice(1)
          .map((item) => item.path.slice(folder.length + 1))
          .toSorted();
      };
      assert.deepEqual(await listed({ recursive: false }), ["a.py", "b.txt", "below", "happy", "left"]);
      assert.deepEqual(await listed({ recursive: false, hidden: true, fileTypes: ["py"] }), ["a.py", "below", "left"]);
      assert.deepEqual(await listed({ fileTypes: [".py"], ignoreFolders: ["left"] }), ["a.py", "below", "below/c.py"]);
      const file = await call(client, "contents_list", { workspaceId, path: `${folder}/b.txt`, fileTypes: ["py"] });
      const { items } = file.result as { readonly items: readonly { readonly path: string; readonly type: string }[] };
      assert.deepEqual(
        items.map(({ path, type }) => [path, type]),
        [[`${folder}/b.txt`, "file"]],
      );
      await rm(join(root, folder), { recursive: true });
    });

    it("preserves a notebook and other bytes", async () => {
      const notebook = '{"cells": [], "metadata": {"n": 1.0}, "nbformat": 4, "nbformat_minor": 5}';
      const path = `book ${era}.ipynb`;
      await call(client, "contents_write", { workspaceId, path, content: notebook });
      const read = await call(client, "contents_read", { workspaceId, path });
      const book = read.result as { content: string; version: string };
      assert.deepEqual(JSON.parse(book.content), JSON.parse(notebook));
      assert.match(book.content, /"n": ?1\.0/);
      const again = { workspaceId, path, content: book.content, version: book.version };
      const { version } = (await call(client, "contents_write", again)).result as { version: string };
      assert.equal((await call(client, "contents_write", { ...again, version })).error, undefined);
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
      const binary = { workspaceId, path: `bytes ${era}.bin` };
      await call(client, "contents_write", { ...binary, content: bytes.toString("base64"), encoding: "base64" });
      const { content, encoding } = (await call(client, "contents_read", binary)).result as Record<string, string>;
      assert.deepEqual([content, encoding], [bytes.toString("base64"), "base64"]);
    });

    it("creates, lists, and restores checkpoints of a file, with a confirmed restore", async () => {
      const path = `point ${era}.txt`;
      await call(client, "contents_write", { workspaceId, path, content: "before" });
      const made = await call(client, "contents_checkpoints_create", { workspaceId, path });
      const { id: checkpointId } = made.result as { id: string };
      const listed = await call(client, "contents_checkpoints_list", { workspaceId, path });
      assert.deepEqual(
        (listed.result as { id: string }[]).map(({ id }) => id),
        [checkpointId],
      );
      await writeFile(join(root, path), "after");
      const given = { workspaceId, path, checkpointId };
      if (era === "2026-07-28") {
        const asking = await rig.client(era, () => ({ action: "accept" }));
        assert.equal((await call(asking, "contents_checkpoints_restore", given)).error, undefined);
        assert.equal(await readFile(join(root, path), "utf8"), "before");
      } else {
        assert.match(await refused(client, "contents_checkpoints_restore", given), /^confirmation: /);
        assert.equal(await readFile(join(root, path), "utf8"), "after");
      }
    });

    it("reports that no notebook token is stored, and the expected slug", async () => {
      const slug = `notebook-${workspaceId.slice(0, 8)}`;
      const kept = rig.stored.get(slug);
      assert.ok(kept !== undefined);
      for (const [outcome, words] of [
        ["missing", new RegExp(`^credential: No notebook token is stored for .*${slug}`)],
        ["unreadable", /^credential: .*can't be read/],
        ["unavailable", /^dependency: .*can't be fetched right now/],
      ] as const) {
        rig.stored.set(slug, { outcome });
        assert.match(await refused(client, "contents_list", { workspaceId }), words);
      }
      rig.stored.set(slug, kept);
      assert.equal(rig.proxy.count({ path: "/user/" }), 0);
    });

    it("reports that a workspace isn't running, and how to start it", async () => {
      const stopped = rig.tenant.workspaces.find(({ status }) => status === "stopped");
      assert.ok(stopped !== undefined);
      assert.match(
        await refused(client, "contents_list", { workspaceId: stopped.id }),
        /^workspace: .*is not running\. Start it with workspaces_instances_start/,
      );
    });

    // Proves 4.1: A start reports the text `workspace started`
    // Proves 7: Start, failure during the start: unsuccessful
    it("reports the three outcomes of a start", async () => {
      const { id } = rig.tenant.workspaces.find(({ name }) => name === "Marketing attribution") ?? assert.fail();
      const start = () => call(client, "workspaces_instances_start", { workspaceId: id });
      const lost = { match: { method: "POST", path: /instances$/ }, action: { kind: "cut", when: "before" } } as const;
      rig.proxy.addFault(lost);
      const starting = { successful: false, status: 500, text: "The workspace is starting." };
      assert.deepEqual((await start()).result, starting);
      rig.proxy.clearFaults();
      const { successful, text } = (await start()).result as { successful: boolean; text: string };
      assert.deepEqual([successful, text], [true, "workspace started"]);
      assert.match(await refused(client, "workspaces_instances_start", { workspaceId: id }), /already started/);
      await rig.tenant.stopWorkspace(id);
    });

    it("rejects responses and files that would exhaust its memory", async () => {
      const name = "large.txt";
      await writeFile(join(root, name), Buffer.alloc(9 * 1024 * 1024, "a"));
      const tooLarge = /^tooLarge: .* has more than 8 MB/;
      const tooLargeResponse = /^tooLarge: .* has more than 4 MB/;
      assert.match(await refused(client, "contents_read", { workspaceId, path: name }), tooLarge);
      await rm(join(root, name));
      const body = JSON.stringify(["a".repeat(9 * 1024 * 1024)]);
      rig.proxy.addFault({ match: { path: /roles/ }, action: { kind: "response", status: 200, body } });
      assert.match(await refused(client, "roles_list", {}), tooLargeResponse);
      const items = `[${Array(1_000_000).fill("{}").join(",")}]`;
      rig.proxy.clearFaults();
      rig.proxy.addFault({ match: { path: /roles/ }, action: { kind: "response", status: 200, body: items } });
      assert.match(await refused(client, "roles_list", {}), /^tooLarge: .* has more than 50000 values/);
      rig.proxy.addFault({ match: { path: /contents/ }, action: { kind: "response", status: 200, body } });
      assert.match(await refused(client, "contents_list", { workspaceId }), tooLarge);
      rig.proxy.clearFaults();
      rig.proxy.addFault({ match: { path: /type=file/ }, action: { kind: "response", status: 400, body: "{}" } });
      // After the rejected request, one follows without undescribed queries.
      rig.proxy.addFault({ match: { path: /content=1$/ }, action: { kind: "response", status: 200, body } });
      assert.match(await refused(client, "contents_read", { workspaceId, path: "a.ipynb" }), tooLarge);
      rig.proxy.clearFaults();
    });

    it("lists a folder of 2,000 files in pages", async () => {
      await mkdir(join(root, "many"));
      const names = Array.from({ length: 2000 }, (_, nth) => `measurement ${String(nth).padStart(4, "0")}.csv`);
      for (const name of names) await writeFile(join(root, "many", name), "1");
      const listed: string[] = [];
      let given: Record<string, unknown> = { workspaceId, path: "many" };
      let pages = 0;
      for (; listed.length < names.length && pages < 100; pages += 1) {
        const { result, nextCursor } = await call(client, "contents_list", given);
        const { items } = result as { items: { name: string; type: string }[] };
        listed.push(...items.filter(({ type }) => type === "file").map(({ name }) => name));
        given = { workspaceId, path: "many", cursor: nextCursor };
      }
      await rm(join(root, "many"), { recursive: true });
      assert.deepEqual(listed.toSorted(), names);
      assert.ok(pages > 1, "it fits on one page");
    }).timeout(60_000);

    it("rejects a tree with too many items", async () => {
      const item = (path: string, type: string): object => ({ name: path.split("/").at(-1), path, type });
      const response = (path: RegExp, folder: string, content: readonly object[]): void => {
        const body = JSON.stringify({ ...item(folder, "directory"), content });
        rig.proxy.addFault({ match: { path }, action: { kind: "response", status: 200, body } });
      };
      const list = async (filesOfEach: number): Promise<Structured> => {
        rig.proxy.clearFaults();
        for (const folder of ["a", "b"]) {
          const files = Array.from({ length: filesOfEach }, (_, nth) => item(`${folder}/f${nth}`, "file"));
          response(new RegExp(`contents/${folder}\\b`), folder, files);
        }
        const folders = ["a", "b"].map((folder) => item(folder, "directory"));
        response(/contents/, "", folders);
        return call(client, "contents_list", { workspaceId });
      };
      const { result } = await list(9900);
      assert.ok((result as { items: unknown[] }).items.length > 100);
      assert.match((await list(10_100)).error?.message ?? "", /contains too many items/);
    });

    it("rejects an endless tree of folders", async () => {
      const folder = (path: string): object => ({ name: path, path, type: "directory", padding: "x".repeat(1000) });
      const below = Array.from({ length: 3000 }, (_, index) => folder(`f${index}`));
      const body = JSON.stringify({ ...folder(""), content: below });
      rig.proxy.addFault({ match: { path: /contents/ }, action: { kind: "response", status: 200, body } });
      const words = /^tooLarge: The workspace root contains too many items/;
      assert.match(await refused(client, "contents_list", { workspaceId }), words);
      rig.proxy.clearFaults();
    });

    it("lists the files of a design's version, and reads one unchanged", async () => {
      const { result } = await call(client, "designs_list", { limit: 1, parts: "versions" });
      const [design] = result as { id: string; versions: ({ version: string } | string)[] }[];
      const [latest] = design?.versions ?? [];
      const given = { designId: design?.id, version: typeof latest === "string" ? latest : latest?.version };
      const listed = await call(client, "designs_versions_assets", given);
      const { files } = listed.result as { files: { path: string; size: number }[] };
      assert.deepEqual(
        files.map(({ path }) => path),
        ["README.md", "app.js", "index.html", "manifest.json", "styles/app.css", "thumbnail.png"],
      );
      const read = async (path: string): Promise<{ size: number; encoding: string; content: string }> =>
        (await call(client, "designs_versions_assets", { ...given, path })).result as never;
      const manifest = await read("manifest.json");
      assert.deepEqual([manifest.encoding, manifest.size], ["text", files[3]?.size]);
      assert.equal((JSON.parse(manifest.content) as { id: string }).id, design?.id);
      assert.equal((await read("thumbnail.png")).encoding, "picture");
      const { result: exact } = await call(client, "designs_versions_assets", {
        ...given,
        path: "thumbnail.png",
        exact: true,
      });
      const thumbnail = exact as { readonly encoding: string; readonly content: string };
      assert.equal(thumbnail.encoding, "base64");
      assert.equal(Buffer.from(thumbnail.content, "base64").subarray(1, 4).toString(), "PNG");
      assert.match(await refused(client, "designs_versions_assets", { ...given, path: "../app.js" }), /has no file/);
      rig.proxy.reset();
      assert.match(
        await refused(client, "designs_versions_assets", { ...given, designId: ".." }),
        /^request: .*designId/,
      );
      assert.match(await refused(client, "designs_versions_assets", { ...given, path: "" }), /^arguments: .*path/);
      assert.equal(rig.proxy.count(), 0);
      const absent = await refused(client, "designs_versions_assets", { ...given, version: "no such one" });
      assert.match(absent, /^asset: .*no archive for it/);
    });

    it("doesn't report an aborted call as an error of this server", async () => {
      const { signal } = rig;
      rig.signal = AbortSignal.abort();
      rig.logged.length = 0;
      try {
        const stopped = await refused(client, "designs_versions_assets", { designId: "design", version: "1.0.0" });
        assert.equal(stopped, "dependency: designs_versions_assets was canceled before it finished.");
      } finally {
        rig.signal = signal;
      }
      assert.deepEqual(
        rig.logged.filter((line) => line.includes("failed in this server")),
        [],
      );
    });
  });
}
