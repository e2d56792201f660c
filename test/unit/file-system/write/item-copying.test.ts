import assert from "node:assert/strict";
import { WorkspaceFiles } from "../../../../src/file-system/provider/workspace-files.ts";
import { quietTransfers } from "../../../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";
import { SaveJournal } from "../../../../src/file-system/write/save-journal.ts";
import { noEditors } from "../../../harness/open-editors.ts";
import { contentBase, fakePlatform, json, type Responder } from "../../api/fake-platform.ts";

const notebook = `{"cells": [], "metadata": {"kept": 1.0}, "nbformat": 4, "nbformat_minor": 5}`;

/** The method and path of a request, and the type and content of its body. */
interface Sent {
  readonly request: string;
  readonly type?: unknown;
  readonly content?: unknown;
}

/** Copies a file on a server that can't copy. Resolves with the requests that create the copy. */
async function requestsOfCopy(from: string, to: string, text: string): Promise<readonly Sent[]> {
  const item = (path: string, fields: object = {}): object => ({ name: path, path, type: "file", size: 1, ...fields });
  const respond: Responder = ({ method, path, body }) => {
    const place = pathOf(path);
    const given = body === undefined ? {} : (JSON.parse(String(body)) as Record<string, unknown>);
    if (given.copy_from !== undefined) {
      return json(404, { message: "Not Found" });
    }
    if (method === "GET") {
      return place === from
        ? json(200, item(from, { type: "file", format: "text", content: text, last_modified: "2026-01-01T00:00:00Z" }))
        : json(404, { message: "Not Found" });
    }
    return json(method === "POST" ? 201 : 200, item(method === "POST" ? "untitled" : to));
  };
  const fake = fakePlatform(respond);
  const files = new WorkspaceFiles({
    access: { connect: async () => fake.content, relocate: async () => false },
    versions: new EditorVersions(),
    editors: noEditors,
    onChanged: () => {},
    beforeReplacing: async () => {},
    transfers: async () => quietTransfers,
    journal: new SaveJournal(),
  });
  await (await files.moving()).copy(from, to, { overwrite: false });
  return fake.requests
    .filter(({ method, body }) => method !== "GET" && !String(body).includes("copy_from"))
    .map(({ method, path, body }) => {
      const { type, content } = JSON.parse(String(body)) as { readonly type?: unknown; readonly content?: unknown };
      return {
        request: `${method} ${pathOf(path)}`,
        ...(type === undefined ? {} : { type }),
        ...(content === undefined ? {} : { content }),
      };
    });
}

function pathOf(path: string): string {
  const { pathname } = new URL(path, contentBase);
  return pathname.slice(`${contentBase.pathname}api/contents/`.length);
}

describe("a copy on a server that can't copy", () => {
  it("of a notebook is created and written as a notebook", async () => {
    assert.deepEqual(await requestsOfCopy("a.ipynb", "b.ipynb", notebook), [
      { request: "POST ", type: "notebook" },
      { request: "PATCH untitled" },
      { request: "PUT b.ipynb", type: "notebook", content: JSON.parse(notebook) },
    ]);
  });

  it("of an invalid notebook is created and written as a file, regardless of its name", async () => {
    for (const [name, text] of [
      ["b.ipynb", "no notebook"],
      ["b.txt", notebook],
      ["Makefile", "all:"],
    ] as const) {
      assert.deepEqual(await requestsOfCopy(`a-${name}`, name, text), [
        { request: "POST ", type: "file" },
        { request: "PATCH untitled" },
        { request: `PUT ${name}`, type: "file", content: text },
      ]);
    }
  });

  it("of an empty notebook stays empty, unlike a new notebook", async () => {
    assert.deepEqual(await requestsOfCopy("a.ipynb", "b.ipynb", ""), [
      { request: "POST ", type: "file" },
      { request: "PATCH untitled" },
    ]);
  });
});
