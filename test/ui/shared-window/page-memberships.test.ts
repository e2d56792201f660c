import assert from "node:assert/strict";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { storedState } from "../tenant-window.ts";

describe("pages of a platform that implements only the API description", () => {
  let window: ProxiedWindow;

  useSharedWindow(
    (taken) => {
      window = taken;
    },
    { width: 1280, height: 1100 },
  );

  const idOf = async (title: string): Promise<number> => {
    const { pages } = (await storedState(window)).pages;
    return pages.find((page) => page.title === title)?.id ?? assert.fail(`there is no page ${title}`);
  };
  const membershipsOf = async (title: string) => {
    const id = await idOf(title);
    return (await storedState(window)).pageMemberships.memberships.filter(({ pageId }) => pageId === id);
  };
  const pagesView = async () => {
    const { sideBar } = window.workbench;
    await sideBar.open("Platform");
    await sideBar.collapse("Workspaces", "App Designs");
    return sideBar.view("Pages");
  };

  // Proves 4.4: GET the collections that a page belongs to
  // Proves 4.4: POST adds the page to a collection, by the collection's id and others; PUT changes a membership
  // Proves 4.4: DELETE removes a membership
  it("become members of a collection, change the membership, and leave it", async () => {
    const { quickInput, dialog } = window.workbench;
    const view = await pagesView();
    await (await view.tree.reveal("Finance", "Cash flow")).chooseFromContextMenu("Add Page Collection…");
    await quickInput.waitForStep("Add Cash flow to Collection");
    await quickInput.choose("Board pack");
    await quickInput.waitForStep("Request body, a JSON object");
    assert.equal(await quickInput.value(), '{"collectionId":9002}');
    await quickInput.accept();
    const row = await view.tree.reveal("Cash flow", "Collections", "Board pack");
    assert.deepEqual(
      (await membershipsOf("Cash flow")).map(({ collectionId }) => collectionId),
      ["9002"],
    );
    await row.clickInlineAction("Change Page Collection");
    await quickInput.waitForStep("Change Membership of Cash flow in Board pack");
    assert.match(await quickInput.value(), /"collectionId":"9002"/);
    await quickInput.submit('{"collectionId":"other-1","position":2}');
    const changed = await view.tree.row("other-1");
    await window.workbench.screenshot("page-membership");
    assert.deepEqual((await membershipsOf("Cash flow"))[0]?.fields, { position: 2 });
    await changed.chooseFromContextMenu("Remove Page Collection…");
    const asked = await dialog.waitFor("Remove Cash flow from the collection other-1?");
    assert.match(asked.detail, /The page and the collection are kept/);
    await dialog.click("Remove");
    await waitFor("no membership on the platform", async () => (await membershipsOf("Cash flow")).length === 0);
  });

  // Proves 4.4: The user is informed that the request may affect
  it("are affected by removing a share, whose request can't name them", async () => {
    const { quickInput, dialog, notifications } = window.workbench;
    const view = await pagesView();
    window.proxy.addFault({
      match: { path: "/api/content/v1/share/accesslist/" },
      action: { kind: "response", status: 404, body: "{}" },
    });
    await (await view.tree.row("Cash flow")).chooseFromContextMenu("Remove Page Sharing…");
    await quickInput.waitForStep("The platform doesn't list who has access.");
    await quickInput.choose("Groups");
    await quickInput.choose("Everybody");
    await quickInput.accept();
    const asked = await dialog.waitFor("Stop sharing pages with Everybody?");
    assert.match(asked.detail, /^Finance \/ Cash flow\n/);
    assert.match(asked.detail, /The request can't specify pages/);
    assert.match(asked.detail, /might remove Everybody's access to every page/);
    await window.workbench.screenshot("page-sharing-described");
    window.proxy.reset();
    window.proxy.clearFaults();
    await dialog.click("Remove");
    await notifications.waitFor("Check which pages were affected.");
    const sent = window.proxy.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);
    assert.deepEqual(sent, ["/api/content/v1/share/bulk/page/group/35"]);
    await notifications.dismissAll();
  });

  it("are duplicated without an undescribed option", async () => {
    const { quickInput } = window.workbench;
    const view = await pagesView();
    await (await view.tree.row("Cash flow")).chooseFromContextMenu("Duplicate Page…");
    await quickInput.waitForStep("Title of the copy");
    await quickInput.submit("Cash flow again");
    await waitFor("the copy on the platform", async () =>
      (await storedState(window)).pages.pages.some(({ title }) => title === "Cash flow again"),
    );
  });
});
