import assert from "node:assert/strict";
import { contentBranch, contentRows } from "../../../../src/features/sandbox/rows/content.ts";
import { repositoryRow } from "../../../../src/features/sandbox/rows/repository-row.ts";
import { sandboxReaders } from "../../../../src/features/sandbox/tree.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the content of a repository", () => {
  const repository = { id: "r-1", name: "Sales", repositoryContent: { pageIds: [1, 2], cardIds: ["7", "8"] } };

  /** Label, and the resource's name, of each content item, by type. */
  async function shown(isShared: boolean) {
    const { platform, requests } = fakePlatform(({ path }) =>
      path.endsWith("/pages/navigation")
        ? json(200, [{ id: "1", title: "Sales EMEA", children: [] }])
        : path.endsWith("/cards/7")
          ? json(200, { id: 7, title: "Orders by month" })
          : json(404, {}),
    );
    const kinds = contentRows(repositoryRow("acme", repository, isShared));
    const pages = await Promise.all(
      kinds.map((kind) =>
        contentBranch(kind).read({ client: platform, filter: "", offset: 0, signal: new AbortController().signal }),
      ),
    );
    const items = pages.flatMap(({ rows }) => rows);
    return {
      requests: requests.length,
      items: items.map((row) => [row.name, row.resource?.type]),
    };
  }

  it("is shown by name, with one request for all pages and one for each card", async () => {
    assert.deepEqual(await shown(false), {
      requests: 3,
      items: [
        ["Sales EMEA", "page"],
        ["Page 2", "page"],
        ["Orders by month", "card"],
        ["Card 8", "card"],
      ],
    });
  });

  it("of another instance is not looked up on this one, because the ids differ", async () => {
    const { requests, items } = await shown(true);
    assert.equal(requests, 0);
    assert.deepEqual(items, [
      ["Page 1", undefined],
      ["Page 2", undefined],
      ["Card 7", undefined],
      ["Card 8", undefined],
    ]);
  });

  /** The table of content in the repository's details, as text. */
  async function table(isOwn: boolean): Promise<readonly (readonly string[])[]> {
    const { platform } = fakePlatform(({ path, method }) =>
      path.endsWith("/pages/navigation")
        ? json(200, [{ id: "1", title: "Sales EMEA", children: [] }])
        : path.endsWith("/cards/7")
          ? json(200, { id: 7, title: "Orders by month" })
          : method === "POST" && path.endsWith("/search")
            ? json(200, { repositories: isOwn ? [repository] : [] })
            : path.endsWith("/commits")
              ? json(200, { commits: [] })
              : path.endsWith("/r-1")
                ? json(200, repository)
                : json(404, {}),
    );
    const resource = { type: "repository", tenantId: "acme", id: "r-1", name: "Sales" } as const;
    const { sections } = await sandboxReaders.repository({ client: platform, resource });
    const [content] = sections;
    assert.ok(content?.type === "table");
    assert.deepEqual(content.columns, ["Type", "Name", "ID"]);
    return content.rows.map((row) =>
      row.map((value) =>
        typeof value === "string"
          ? value
          : value?.type === "resource"
            ? `${value.resource.type}: ${value.resource.name}`
            : value?.type === "code"
              ? value.text
              : "",
      ),
    );
  }

  it("is also in the details by name, with links to items with details", async () => {
    assert.deepEqual(await table(true), [
      ["Page", "page: Sales EMEA", "1"],
      ["Page", "page: Page 2", "2"],
      ["Card", "card: Orders by month", "7"],
      ["Card", "card: Card 8", "8"],
    ]);
  });

  it("of another instance has neither names nor links in the details", async () => {
    assert.deepEqual(await table(false), [
      ["Page", "Page 1", "1"],
      ["Page", "Page 2", "2"],
      ["Card", "Card 7", "7"],
      ["Card", "Card 8", "8"],
    ]);
  });
});
