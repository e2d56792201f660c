import assert from "node:assert/strict";
import { mayOpen, workspacePage } from "../../../src/tenants/browser-addresses.ts";

const tenant = { baseUrl: "https://acme.example.com/base", contentServer: {} };

describe("addresses for the browser", () => {
  it("of a workspace are the tenant's page for it", () => {
    assert.equal(workspacePage(tenant, "4f7c/21"), "https://acme.example.com/base/jupyter-workspaces/4f7c%2F21");
  });

  it("from a server open on the tenant's host, its subdomains, and its content hosts", () => {
    assert.equal(mayOpen("https://acme.example.com/sign-in?next=1", tenant), true);
    assert.equal(mayOpen("https://notebooks.acme.example.com/", tenant), true);
    assert.equal(mayOpen("https://acme.notebooks.example.net/x", tenant, ["https://notebooks.example.net"]), true);
    const configured = { ...tenant, contentServer: { origin: "https://content.example.org" } };
    assert.equal(mayOpen("https://content.example.org/hub", configured), true);
    assert.equal(mayOpen("http://127.0.0.1:80/x", { baseUrl: "http://127.0.0.1:80", contentServer: {} }), true);
  });

  it("don't open on other hosts, unencrypted, or as another kind of link", () => {
    for (const address of [
      "",
      "nothing",
      "https://example.com/",
      "https://other.example.com/",
      "https://acme.example.com.evil.net/",
      "https://evilacme.example.com/",
      "http://acme.example.com/",
      "https://alice:secret@acme.example.com/",
      "command:workbench.action.quit",
      "file:///etc/passwd",
      "vscode://acme.example.com/",
    ]) {
      assert.equal(mayOpen(address, tenant), false, address);
    }
  });
});
