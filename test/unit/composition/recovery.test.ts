import assert from "node:assert/strict";
import { registerRecovery } from "../../../src/composition/recovery.ts";
import { EventEmitter } from "../../harness/editor-stand-in/vscode.ts";

describe("recovery after a change of secrets", () => {
  const tenant = { id: "acme" };

  /** Reports a changed credential, and returns the tenants whose folders were cleared. */
  function cleared(change: { readonly isRegistered: boolean; readonly signsOut: boolean }): readonly string[] {
    const found: string[] = [];
    const changed = new EventEmitter<{ readonly tenantId: string; readonly workspaceId: string | undefined }>();
    const signedOut = new EventEmitter<string>();
    const parts = {
      files: { onDidFail: new EventEmitter<unknown>().event, deleteTenant: (id: string) => found.push(id) },
      registry: { get: () => (change.isRegistered ? tenant : undefined) },
      connections: {},
      secrets: {
        onDidChange: changed.event,
        onDidSignOut: signedOut.event,
        credential: async () => (change.signsOut ? undefined : {}),
      },
      lifecycle: { onDidChangeState: new EventEmitter<unknown>().event },
      log: { error: (text: string) => assert.fail(text) },
    };
    const registered = registerRecovery(parts as unknown as Parameters<typeof registerRecovery>[0]);
    changed.fire({ tenantId: tenant.id, workspaceId: undefined });
    if (change.signsOut) {
      signedOut.fire(tenant.id);
    }
    registered.dispose();
    return found;
  }

  it("clears the folders of a tenant that the user signed out of, also if it was removed", () => {
    assert.deepEqual(cleared({ isRegistered: true, signsOut: true }), ["acme"]);
    assert.deepEqual(cleared({ isRegistered: false, signsOut: true }), ["acme"]);
  });

  it("keeps what a window has read before its provided tenant is registered", () => {
    assert.deepEqual(cleared({ isRegistered: false, signsOut: false }), []);
  });
});
