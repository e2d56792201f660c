import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
  createContent,
  deleteContent,
  getContent,
  renameContent,
  updateContent,
} from "../../../../src/api/catalogue/operations/contents.ts";
import { updateDataflow } from "../../../../src/api/catalogue/operations/notebooks.ts";
import { getNamespace, getWorkspace, startInstance } from "../../../../src/api/catalogue/operations/workspaces.ts";
import type { ContentClient } from "../../../../src/api/client/client.ts";
import type { DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { causeOf, hasStatus, PlatformError, readServerWords } from "../../../../src/api/http/errors.ts";
import { empty, failureOf, fakePlatform, html, json, secret } from "../fake-platform.ts";

const file = { type: "file", format: "text", content: "x" } as const;

async function platformFailure(response: DispatchResponse): Promise<PlatformError> {
  return failureOf(fakePlatform(() => response).platform.call(getWorkspace, { workspaceId: "w-1" }));
}

async function readFailure(response: DispatchResponse): Promise<PlatformError> {
  return failureOf(fakePlatform(() => response).content.call(getContent, { path: "dir/a.py" }));
}

describe("errors", () => {
  it("contain the classic body's message and trace id", async () => {
    const body = {
      status: 403,
      statusReason: "Forbidden",
      message: "No grant for this",
      toe: "AB1CDEFGH2-34I5J-KLMNO",
    };
    const failure = await platformFailure(json(403, body));
    assert.equal(failure.message, "Can't read workspace w-1: No grant for this (403) (trace AB1CDEFGH2-34I5J-KLMNO).");
    assert.equal(failure.serverMessage, "No grant for this");
    assert.equal(failure.traceId, "AB1CDEFGH2-34I5J-KLMNO");
    assert.equal(failure.entity, "w-1");
    assert.equal(failure.operationId, "workspaces.get");
    assert.deepEqual(failure.failureCause, { type: "status", status: 403 });
    assert.equal(JSON.parse(failure.response?.body ?? "").toe, body.toe);
  });

  it("contain the coded body's localized message", async () => {
    const body = {
      errorCode: "V-0057",
      message: "Raw",
      localizedMessage: "Mit Warnungen",
      responseStatus: 500,
      details: {},
    };
    assert.match((await platformFailure(json(500, body))).message, /Mit Warnungen \(500\)/);
  });

  it("contain the content server's message and reason", async () => {
    assert.match(
      (await readFailure(json(400, { message: "dir is a directory", reason: "bad type" }))).message,
      /is a directory \(400\)/,
    );
    assert.match((await readFailure(json(400, { message: "", reason: "bad format" }))).message, /bad format/);
    assert.match(
      (await readFailure(json(500, { message: null, reason: null, traceback: "" }))).message,
      /returned an error \(500\)/,
    );
  });

  it("recognize a plain-text 404 with a JSON content type", async () => {
    const failure = await readFailure(json(404, "No such file or directory: dir/a.py"));
    assert.equal(failure.kind, "notFound");
    assert.equal(failure.entity, "dir/a.py");
    assert.equal(hasStatus(failure, 404), true);
    assert.match(failure.message, /No such file or directory/);
  });

  it("report a 404 without a message", async () => {
    const failure = await readFailure(empty(404));
    assert.equal(failure.kind, "notFound");
    assert.match(failure.message, /it doesn't exist \(404\)/);
  });

  // Proves 7: GET content, 404: not-found error that names
  it("are the row's not-found error for a 404 with a web page, which doesn't prove that a file is missing", async () => {
    const { content } = fakePlatform(() => html(404));
    for (const [work, word] of [
      [content.call(getContent, { path: "a.py" }), undefined],
      [content.call(updateContent, { path: "a.py", body: file }), "update"],
      [content.call(deleteContent, { path: "a.py" }), "delete"],
    ] as const) {
      const failure = await failureOf(work);
      assert.deepEqual([failure.kind, failure.operationWord, failure.entity], ["notFound", word, "a.py"]);
      assert.deepEqual([failure.failureCause.type, hasStatus(failure, 404)], ["notJson", false]);
      assert.match(failure.message, /the server returned a "not found" web page \(404\) .* check the address/);
      assert.equal(failure.serverMessage, undefined);
      assert.equal(failure.message.includes("<"), false);
    }
    const created = await failureOf(content.call(createContent, { parentPath: "", body: { type: "file", path: "" } }));
    assert.equal(created.kind, "crud");
  });

  // Proves 7: GET content, 403: retrieval error that asks
  it("keep the token hint if a hub returns 403 for a workspace that it reports as stopped", async () => {
    const stopped = html(403, { "x-jupyterhub-version": "6.1.1" });
    const failure = await readFailure(stopped);
    assert.equal(failure.failureCause.type, "workspaceNotRunning");
    assert.match(
      failure.message,
      /the workspace isn't running.*If it is running: Check that the notebook token is valid\.$/,
    );
    const other = await readFailure(html(405, { "x-jupyterhub-version": "6.1.1" }));
    assert.equal(other.message.includes("token"), false);
  });

  for (const [what, call, kind, word] of [
    // Proves 7: Update, 404: not-found error that names the path
    ["an update", (client) => client.call(updateContent, { path: "a.txt", body: file }), "notFound", "update"],
    // Proves 7: Delete, 404: not-found error that names the path
    ["a deletion", (client) => client.call(deleteContent, { path: "a.txt" }), "notFound", "delete"],
    // Proves 7: Dataflow, 404: not-found error that names workspace and notebook
    [
      "a dataflow",
      (client) => client.call(updateDataflow, { workspaceId: "w", notebookId: "n", body: {} }),
      "notFound",
      "update_notebook_dataflow",
    ],
    ["a rename", (client) => client.call(renameContent, { oldPath: "a", body: { path: "b" } }), "crud", "rename"],
  ] as const satisfies readonly (readonly [string, (client: ContentClient) => Promise<unknown>, string, string])[]) {
    it(`of ${what} have the row's kind for a 404 with a web page`, async () => {
      const failure = await failureOf(call(fakePlatform(() => html(404)).content));
      assert.deepEqual([failure.kind, failure.operationWord], [kind, word]);
    });
  }

  it("name the workspace root", async () => {
    const failure = await failureOf(fakePlatform(() => empty(500)).content.call(getContent, { path: "" }));
    assert.match(failure.message, /^Can't read the workspace root: /);
  });

  it("name both ids of a dataflow", async () => {
    const work = fakePlatform(() => empty(404)).content.call(updateDataflow, {
      workspaceId: "w",
      notebookId: "n",
      body: {},
    });
    const failure = await failureOf(work);
    assert.equal(failure.kind, "notFound");
    assert.equal(failure.entity, "workspace w, notebook n");
    assert.equal(failure.operationWord, "update_notebook_dataflow");
  });

  it("ask for a sign-in after 401", async () => {
    assert.match((await platformFailure(empty(401))).message, /rejected the credential \(401\)\. Sign in again\./);
  });

  it("ask for the token after 401, 403, and a redirect to a login page of the content server", async () => {
    for (const response of [
      empty(401),
      json(403, { message: "Forbidden", reason: null }),
      empty(302, { location: "/login?next=%2Fapi" }),
      empty(302, { location: "/hub/login?next=x" }),
      empty(302, { location: "https://acme.example.com/hub/api/oauth2/authorize?client_id=x" }),
    ]) {
      const failure = await readFailure(response);
      assert.deepEqual(failure.failureCause, { type: "tokenRefused", status: response.status });
      assert.equal(failure.kind, "retrieval");
      assert.match(failure.message, /Check that the notebook token is valid\./);
    }
  });

  const stopped: readonly (readonly [string, DispatchResponse])[] = [
    ["a redirect to the hub", empty(302, { location: "/hub/user/alice/4f7c21aa/api/contents/a" })],
    ["a redirect to the hub's full address", empty(302, { location: "https://acme.example.com/hub/user/alice/x/" })],
    ["424", json(424, { message: "JupyterHub server no longer running" })],
    ["405 with the hub's header", html(405, { "x-jupyterhub-version": "6.1.1" })],
    ["503 with the hub's header", html(503, { "x-jupyterhub-version": "3.0.0" })],
    ["403 of a hub of version 6, a page", html(403, { "x-jupyterhub-version": "6.1.1" })],
    [
      "503 of a hub's proxy",
      {
        ...html(503),
        body: Buffer.from("<html><p>Your server appears to be down. Try restarting it from the hub</p>"),
      },
    ],
    ["503 of the proxy alone", { ...html(503), body: Buffer.from("<html><h1>503: Proxy Target Missing</h1></html>") }],
  ];
  for (const [what, response] of stopped) {
    it(`report ${what} as a workspace that isn't running`, async () => {
      const work = fakePlatform(() => response).content.call(updateContent, { path: "a.py", body: file });
      const failure = await failureOf(work);
      assert.deepEqual(failure.failureCause, { type: "workspaceNotRunning", status: response.status });
      assert.equal(failure.kind, "crud");
      assert.match(failure.message, /the workspace isn't running\. Start it/);
    });
  }

  it("report 403, 405, and 503 of the content server itself unchanged, even with the hub's header", async () => {
    const header = { "x-jupyterhub-version": "6.1.1" };
    const type = async (response: DispatchResponse) => (await readFailure(response)).failureCause.type;
    assert.equal(await type(json(403, { message: "Forbidden", reason: null }, header)), "tokenRefused");
    assert.equal(await type(html(403)), "tokenRefused");
    assert.equal(await type(json(405, { message: "no" }, header)), "status");
    assert.equal(await type(html(405)), "status");
    assert.equal(await type(json(503, { message: "no" })), "status");
    assert.equal(await type(html(503)), "status");
  });

  it("don't mistake a platform's page for a hub's", async () => {
    const failure = await platformFailure(html(403, { "x-jupyterhub-version": "6.1.1" }));
    assert.deepEqual(failure.failureCause, { type: "status", status: 403 });
  });

  it("name the other origin of a redirect, but not its path", async () => {
    const failure = await platformFailure(empty(303, { location: `https://blocked.example.net/page?token=${secret}` }));
    assert.deepEqual(failure.failureCause, { type: "redirected", status: 303, origin: "https://blocked.example.net" });
    assert.match(failure.message, /The credential wasn't sent there/);
    assert.equal(inspect(failure, { depth: 9 }).includes(secret), false);
  });

  it("report the handshake with its address", async () => {
    const address = "https://acme.example.com/hub/auth_refresh?next=%2Fuser%2F";
    const body = {
      errorCode: "DS-0018",
      message: "Notebook authentication required",
      details: { jupyterAuthURL: address },
    };
    for (const operation of [getNamespace, startInstance]) {
      const fake = fakePlatform(() => json(403, body));
      const failure = await failureOf(fake.platform.call(operation, { workspaceId: "w" }));
      assert.deepEqual(failure.failureCause, { type: "handshake", address });
      assert.equal(failure.kind, operation === getNamespace ? "retrieval" : "workspace");
      assert.match(failure.message, /Open it in the browser/);
    }
    const nameless = await platformFailure(json(403, { errorCode: "DS-0018" }));
    assert.deepEqual(nameless.failureCause, { type: "handshake", address: "" });
  });

  it("show no secret that a server repeats, in any form", async () => {
    const encoded = encodeURIComponent(secret);
    const bodies = [
      json(500, { message: `bad header Bearer ${secret}`, echo: { authorization: secret } }),
      json(500, `the token ${secret} is bad`),
      json(500, { message: "at /x?token=abc&y=1", access_token: "other-secret" }),
      json(500, { message: `at /x?k=${encoded}` }),
      json(500, { message: "no" }, { "x-echo": `was ${secret}`, "set-token": "other-secret" }),
      json(500, `${" ".repeat(65_530)}${secret}`),
    ];
    for (const response of bodies) {
      const fake = fakePlatform(() => response);
      const failure = await failureOf(fake.content.call(updateContent, { path: "a", body: file }));
      const shown = [
        failure.message,
        JSON.stringify(failure),
        inspect(failure, { depth: 9 }),
        fake.lines.join("\n"),
      ].join("\n");
      for (const hidden of [secret, secret.slice(0, 6), encoded, "other-secret", "=abc"]) {
        assert.equal(shown.includes(hidden), false, hidden);
      }
    }
  });

  it("keep their message with an additional sentence", async () => {
    const failure = await readFailure(json(404, { message: "gone", toe: "T-1" }));
    const remarked = failure.withRemark("x.py was left behind.");
    assert.equal(remarked.message, `${failure.message} x.py was left behind.`);
    for (const field of [
      "kind",
      "failureCause",
      "entity",
      "operationId",
      "operationWord",
      "response",
      "traceId",
    ] as const) {
      assert.deepEqual(remarked[field], failure[field]);
    }
  });

  it("are distinguished from other errors", () => {
    assert.equal(causeOf(new Error("x")), undefined);
    assert.equal(hasStatus(undefined, 404), false);
    assert.equal(new Error("x") instanceof PlatformError, false);
  });

  it("ignore bodies without a readable message", () => {
    for (const body of ["", "<html>no</html>", "[]", "null", "7", "{}", '{"message":{"a":1}}', "x".repeat(301)]) {
      assert.deepEqual(readServerWords(body), {}, body.slice(0, 40));
    }
    assert.deepEqual(readServerWords('{"details":{"a":1},"message":" "}'), { details: { a: 1 } });
  });
});
