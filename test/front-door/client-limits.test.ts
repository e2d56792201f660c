import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startToolRig, type ToolClient, type ToolRig } from "./tools-rig.ts";

/** Common clients discard a longer response. */
const maxCharacters = 80_000;

interface Page {
  readonly result?: unknown;
  readonly part?: string;
  readonly of?: number;
  readonly from?: number;
  readonly remaining?: number;
  readonly nextCursor?: string;
  readonly remark?: string;
}

interface Response {
  readonly page: Page;
  readonly images: readonly { readonly mimeType: string; readonly bytes: Buffer }[];
  /** Characters of everything that the client gets. */
  readonly characters: number;
}

function picture(bytes: number): Buffer {
  const content = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 7919) % 251));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), content]);
}

describe("front door: the limits of clients", () => {
  let rig: ToolRig;
  let client: ToolClient;
  let workspaceId: string;
  let root: string;

  before(async () => {
    rig = await startToolRig({ tools: { maximumResultCharacters: 400_000 } });
    client = await rig.client("2026-07-28");
    const running = rig.tenant.workspaces.find(({ status }) => status === "running") ?? assert.fail();
    workspaceId = running.id;
    root = rig.tenant.contentRoot(workspaceId);
  });
  afterEach(() => rig.proxy.clearFaults());
  after(() => rig.stop());

  async function call(name: string, given: object): Promise<Response> {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...given } });
    assert.notEqual(isError, true, JSON.stringify(content));
    const [text, ...others] = content;
    assert.ok(text?.type === "text");
    const images = others.map((one) => {
      assert.ok(one.type === "image");
      return { mimeType: one.mimeType, bytes: Buffer.from(one.data, "base64") };
    });
    return {
      page: JSON.parse(text.text),
      images,
      characters: JSON.stringify(content).length + (JSON.stringify(structuredContent) ?? "").length,
    };
  }

  async function refused(name: string, given: object): Promise<string> {
    const { content, isError } = await client.callTool({ name, arguments: { ...given } });
    assert.equal(isError, true, JSON.stringify(content).slice(0, 500));
    return content[0]?.type === "text" ? content[0].text : "";
  }

  async function readAll(name: string, given: object): Promise<readonly Response[]> {
    const responses: Response[] = [];
    let cursor: string | undefined;
    do {
      const response = await call(name, cursor === undefined ? given : { ...given, cursor });
      assert.ok(response.characters <= maxCharacters + 1000, `${name} returned ${response.characters} characters`);
      responses.push(response);
      cursor = response.page.nextCursor;
    } while (cursor !== undefined);
    return responses;
  }

  const fileOf = (responses: readonly Response[]): string =>
    responses.map(({ page }) => (page.result as { content: string }).content).join("");

  it("apply to each page of a long list, which counts the items that remain", async () => {
    const pages = Array.from({ length: 5000 }, (_, id) => ({
      id,
      title: `Page "${id}" of the company`,
      locked: false,
    }));
    const response = { kind: "response", status: 200, body: JSON.stringify(pages) } as const;
    rig.proxy.addFault({ match: { path: /roles/ }, action: response });
    const responses = await readAll("roles_list", {});
    let seen = 0;
    for (const { page } of responses) {
      seen += (page.result as unknown[]).length;
      assert.equal(page.remaining ?? 0, pages.length - seen);
    }
    assert.equal(seen, pages.length);
  });

  it("apply to each part of a long file, even if all of its characters must be escaped", async () => {
    const texts = { "quotes.txt": '"\\\n\t'.repeat(50_000), "control.txt": "\u0001".repeat(100_000) };
    for (const [path, text] of Object.entries(texts)) {
      await writeFile(join(root, path), text);
      assert.equal(fileOf(await readAll("contents_read", { workspaceId, path })), text);
    }
  });

  it("apply unless the caller asks for more, up to the server's limit", async () => {
    await writeFile(join(root, "long.txt"), "x".repeat(500_000));
    const given = { workspaceId, path: "long.txt" };
    const lengthOf = async (more: object): Promise<number> =>
      fileOf([await call("contents_read", { ...given, ...more })]).length;
    assert.equal(await lengthOf({}), 40_000);
    assert.equal(await lengthOf({ maxCharacters: 100_000 }), 100_000);
    assert.equal(await lengthOf({ maxCharacters: 5_000_000 }), 400_000);
    for (const maxCharacters of [0, 1.5, "all", 1e9]) {
      assert.match(
        await refused("contents_read", { ...given, maxCharacters }),
        /maxCharacters must be an integer from/,
      );
    }
  });

  it("don't apply to pictures as text: they are images, or named if they are too large", async () => {
    const [small, large] = [picture(50_000), picture(150_000)];
    await writeFile(join(root, "small.png"), small);
    await writeFile(join(root, "large.dat"), large);
    const [response] = await readAll("contents_read", { workspaceId, path: "small.png" });
    assert.deepEqual(response?.images, [{ mimeType: "image/png", bytes: small }]);
    assert.equal((response.page.result as { encoding: string }).encoding, "picture");
    const path = "large.dat";
    const [named] = await readAll("contents_read", { workspaceId, path });
    assert.deepEqual(named?.images, []);
    const enough = /too large for this response\. To get all of it, set maxCharacters to (\d+)\.$/.exec(
      named.page.remark ?? "",
    );
    const shown = await call("contents_read", { workspaceId, path, maxCharacters: Number(enough?.[1]) });
    assert.deepEqual(shown.images, [{ mimeType: "image/png", bytes: large }]);
    await writeFile(join(root, path), picture(400_000));
    assert.match(
      (await call("contents_read", { workspaceId, path })).page.remark ?? "",
      /^A picture is larger than the server's limit of 400000 characters\.$/,
    );
    const exact = await readAll("contents_read", { workspaceId, path: "small.png", exact: true });
    assert.deepEqual(Buffer.from(fileOf(exact), "base64"), small);
  });

  it("don't make a notebook lose its pictures", async () => {
    const pictures = [picture(40_000), picture(600_000), picture(200)];
    const cells = pictures.map((bytes, index) => ({
      cell_type: "code",
      execution_count: null,
      metadata: {},
      source: `plot(${index})`,
      outputs: [{ output_type: "display_data", metadata: {}, data: { "image/png": bytes.toString("base64") } }],
    }));
    const path = "figures.ipynb";
    const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });
    await writeFile(join(root, path), notebook);
    const read = await readAll("contents_read", { workspaceId, path });
    const [{ page } = assert.fail()] = read;
    const { picturesLeftOut, version } = page.result as { picturesLeftOut: number; version: string };
    assert.equal(picturesLeftOut, pictures.length);
    const content = fileOf(read);
    assert.ok(content.length < 2000, content);
    const [first] = await readAll("contents_read", { workspaceId, path, picture: 1 });
    assert.deepEqual(first?.images, [{ mimeType: "image/png", bytes: pictures[0] }]);
    assert.match(await refused("contents_read", { workspaceId, path, picture: 4 }), /has 3 pictures, and not one 4/);
    assert.match(
      await refused("contents_write", { workspaceId, path, content, version }),
      /^Can't save figures\.ipynb: content: it lacks the notebook's pictures\. Read it with exact: true/,
    );
    const exact = fileOf(await readAll("contents_read", { workspaceId, path, exact: true }));
    assert.deepEqual(JSON.parse(exact), JSON.parse(notebook));
    const edited = exact.replace("plot(0)", "plot(3)");
    await call("contents_write", { workspaceId, path, content: edited, version });
    assert.match(fileOf(await readAll("contents_read", { workspaceId, path })), /plot\(3\)/);
  });
});
