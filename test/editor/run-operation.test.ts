import assert from "node:assert/strict";
import * as vscode from "vscode";
import { bodyUri, parsedResponseUri } from "../../src/features/api-explorer/operation-documents.ts";
import { ask, requestsOf, tenantNamed } from "./outside.ts";
import { repeatUntilDone, until } from "./time.ts";

interface Question {
  readonly message: string;
  readonly detail: string;
}

/** Answers the next modal dialogs of the editor. Returns their texts. */
function responding(response: string | undefined): { readonly asked: Question[]; restore(): void } {
  const asked: Question[] = [];
  const original = vscode.window.showWarningMessage;
  const replaced = async (message: string, options: vscode.MessageOptions): Promise<string | undefined> => {
    asked.push({ message, detail: options.detail ?? "" });
    return response;
  };
  Reflect.set(vscode.window, "showWarningMessage", replaced);
  return { asked, restore: () => Reflect.set(vscode.window, "showWarningMessage", original) };
}

describe("Platform: Run API Operation…", () => {
  const tenant = tenantNamed("embedded");
  const { tenantId, workspaceId } = tenant;
  const place = (operationId: string, workspace = "") => ({ tenantId, workspaceId: workspace, operationId });
  const run = (operationId: string, more: object = {}): Thenable<unknown> =>
    vscode.commands.executeCommand("platformWorkbench.runOperation", { operationId, tenantId, ...more });

  beforeEach(() => ask(tenant, { type: "reset" }));
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("notifications.clearAll");
  });

  async function shown(uri: vscode.Uri): Promise<vscode.TextDocument> {
    return until(`${uri.path} is shown`, () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.toString() === uri.toString() ? document : undefined;
    });
  }

  it("shows the response of a read as a read-only document with status, time, and size, without a question", async () => {
    const { asked, restore } = responding(undefined);
    try {
      await run("roles.list");
    } finally {
      restore();
    }
    const document = await shown(parsedResponseUri(place("roles.list")));
    const [request, facts, ...body] = document.getText().split("\n");
    assert.match(request ?? "", /^\/\/ GET http:\/\/127\.0\.0\.1:\d+\/api\/content\/v1\/roles$/);
    assert.match(facts ?? "", /^\/\/ 200 · \d+ ms · [\d.]+ (?:bytes|KB) · application\/json · 20/);
    assert.equal(JSON.parse(body.join("\n"))[0].name, "Admin");
    assert.equal(vscode.workspace.fs.isWritableFileSystem("platform-documents"), true);
    const { permissions } = await vscode.workspace.fs.stat(document.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
    assert.deepEqual(asked, []);
    assert.deepEqual(await requestsOf(tenant), ["GET /api/content/v1/roles 200"]);
  });

  it("masks possible secrets of other systems", async () => {
    await run("accounts.list");
    const text = (await shown(parsedResponseUri(place("accounts.list")))).getText();
    assert.match(text, /"privateKey": "\[redacted\]"/);
    assert.doesNotMatch(text, /sample-private-key/);
  });

  it("also calls content servers", async () => {
    const parameters = { path: "README.md", content: "0" };
    const running = run("contents.get", { workspaceId, parameters });
    // The optional parameters are offered. Enter chooses none.
    await repeatUntilDone(running, () =>
      vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem"),
    );
    const document = await shown(parsedResponseUri(place("contents.get", workspaceId)));
    assert.match(document.getText(), /"name": "README\.md"/);
    assert.match(document.getText(), /"content": null/);
  });

  it("opens a body with its defaults, and completes and validates it with the operation's schema", async () => {
    await run("workspaces.search");
    const uri = bodyUri(place("workspaces.search"));
    const document = await shown(uri);
    assert.equal(JSON.parse(document.getText()).limit, 50);
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(uri, whole, '{\n  "limit": "many",\n  \n}\n');
    await vscode.workspace.applyEdit(edit);
    const problems = await until("the wrong type is marked", () => {
      const found = vscode.languages.getDiagnostics(uri).filter(({ message }) => /integer|number/i.test(message));
      return found.length > 0 ? found : undefined;
    });
    assert.equal(problems[0]?.range.start.line, 1);
    const offered = await until("members are completed", async () => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        new vscode.Position(2, 2),
      );
      const labels = list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
      return labels.some((label) => label.includes("searchFieldMap")) ? labels : undefined;
    });
    assert.ok(
      offered.some((label) => label.includes("offset")),
      offered.join(", "),
    );
    assert.deepEqual(await requestsOf(tenant), []);
  });

  it("sends the edited body, and remembers it", async () => {
    await run("workspaces.search");
    const uri = bodyUri(place("workspaces.search"));
    const document = await shown(uri);
    const edit = new vscode.WorkspaceEdit();
    const text = '{"searchFieldMap": {"NAME": "sales"}, "limit": 5}\n';
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand("platformWorkbench.sendOperation", uri);
    const response = await until("the answer is there", async () => {
      const open = await vscode.workspace.openTextDocument(parsedResponseUri(place("workspaces.search")));
      return open.getText().includes("Sales forecasting") ? open.getText() : undefined;
    });
    assert.match(response, /"totalCount": 1\b/);
    assert.deepEqual(await requestsOf(tenant), ["POST /api/datascience/v1/search/workspaces 200"]);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), text);
  });

  it("rejects an invalid body before a request", async () => {
    await run("workspaces.search");
    const uri = bodyUri(place("workspaces.search"));
    const document = await shown(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), '{"limit": 1000}\n');
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand("platformWorkbench.sendOperation", uri);
    await ask(tenant, { type: "quiet", milliseconds: 500 });
    assert.deepEqual(await requestsOf(tenant), []);
  });

  it("asks before a change, and names what is affected", async () => {
    const parameters = { workspaceId: "00000000-0000-4000-8000-000000000000" };
    const refused = responding(undefined);
    try {
      await run("workspaces.instances.start", { parameters });
    } finally {
      refused.restore();
    }
    assert.equal(refused.asked.length, 1);
    assert.match(refused.asked[0]?.message ?? "", /^Run workspaces\.instances\.start on Tenant embedded\?$/);
    assert.match(
      refused.asked[0]?.detail ?? "",
      /POST http.*\/instances[\s\S]*workspaceId: 00000000-0000-4000-8000-000000000000/,
    );
    assert.deepEqual(await requestsOf(tenant), []);

    const agreed = responding("Run");
    try {
      await run("workspaces.instances.start", { parameters });
    } finally {
      agreed.restore();
    }
    const document = await shown(parsedResponseUri(place("workspaces.instances.start")));
    assert.match(document.getText(), /^\/\/ POST [\s\S]*\/\/ 404 · /);
    assert.equal((await requestsOf(tenant)).length, 1);
  });

  it("copies the request as curl without the secret", async () => {
    await run("workspaces.get", { parameters: { workspaceId } });
    const uri = parsedResponseUri(place("workspaces.get"));
    await shown(uri);
    await vscode.commands.executeCommand("platformWorkbench.copyOperationAsCurl", uri);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, new RegExp(`^curl --request GET 'http://127\\.0\\.0\\.1:\\d+/.*${workspaceId}'`));
    assert.match(text, /--header "authorization: Bearer \$PLATFORM_TOKEN"/);
    for (const secret of tenant.secrets) {
      assert.equal(text.includes(secret), false);
    }
  });

  it("shows the catalog in a quick pick that can be dismissed", async () => {
    const running = vscode.commands.executeCommand("platformWorkbench.runOperation");
    await repeatUntilDone(running, () => vscode.commands.executeCommand("workbench.action.closeQuickOpen"));
    assert.deepEqual(await requestsOf(tenant), []);
  });
});
