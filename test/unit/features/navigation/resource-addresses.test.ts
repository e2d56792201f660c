import assert from "node:assert/strict";
import { navigationDeclarations as declared } from "../../../../src/features/navigation/declarations.ts";
import { linkTo } from "../../../../src/features/navigation/resource-addresses.ts";
import { applies, type Context } from "../../../harness/conditions.ts";
import { env, UIKind, Uri } from "../../../harness/editor-stand-in/vscode.ts";

const commit = "53c2f3253bcf32886706fc023e794bbeb253c90f";
const acme = { baseUrl: "https://acme.example.com" };
const design = { type: "design", tenantId: "acme", id: "d/7", name: "Order board" } as const;
const workspace = { type: "workspace", tenantId: "acme", id: "sales", name: "Sales forecasting" } as const;
const workflow = { type: "workflow", tenantId: "acme", id: "w-1", name: "Invoice approval" } as const;

describe("the link to a resource", () => {
  const { uiKind, asExternalUri } = env;
  afterEach(() => {
    env.uiKind = uiKind;
    env.asExternalUri = asExternalUri;
  });

  it("opens the desktop editor for any resource", async () => {
    for (const resource of [design, workspace, workflow]) {
      assert.match(await linkTo(acme, resource), /^vscode:\/\/platform-workbench\..*tenant=acme&type=/);
    }
  });

  it("is a web address in a browser: a window for a workspace, and the web page for anything else", async () => {
    env.uiKind = UIKind.Web;
    env.asExternalUri = async () => Uri.parse(`http://127.0.0.1:8080/stable-${commit}/callback?vscode-reqid=1`);
    assert.equal(await linkTo(acme, design), "https://acme.example.com/assetlibrary/d%2F7/overview");
    const { origin, searchParams } = new URL(await linkTo(acme, workspace));
    assert.equal(origin, "http://127.0.0.1:8080");
    assert.equal(
      searchParams.get("workspace"),
      "platform-documents://sales.acme/workspace-file/Sales%20forecasting.code-workspace",
    );
    await assert.rejects(linkTo(acme, workflow), /^Error: Invoice approval has no web page\.$/);
  });

  it("of a workspace is its web page if the editor's server has addresses in another format", async () => {
    env.uiKind = UIKind.Web;
    assert.match(await linkTo(acme, workspace), /^https:\/\/acme\.example\.com\//);
  });

  it("is not on a row twice, and in a browser not on a row without a web page", () => {
    const offered = (view: string, viewItem: string, inBrowser: boolean): readonly string[] => {
      const context: Context = {
        view: `platformWorkbench.${view}`,
        viewItem,
        "platformWorkbench.inBrowser": inBrowser,
      };
      return (["platformWorkbench.copyLink", "platformWorkbench.copyWebAddress"] as const).flatMap((id) =>
        declared[id].menus.filter(({ when }) => applies(when, context)).map(() => declared[id].title),
      );
    };
    const both = ["Copy Link", "Copy Web Address"];
    for (const [view, viewItem, onDesktop, inBrowser] of [
      ["workspaces", "workspace.running;id;details;link;page", both, both],
      ["designs", "design;id;details;link;page", both, ["Copy Link"]],
      ["sandbox", "commit;id;details;link", ["Copy Link"], []],
    ] as const) {
      assert.deepEqual(offered(view, viewItem, false), onDesktop);
      assert.deepEqual(offered(view, viewItem, true), inBrowser);
    }
  });
});
