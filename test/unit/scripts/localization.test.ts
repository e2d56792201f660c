import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messagesOf, sourceMessages } from "../../../scripts/localization.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

describe("the messages of the sources", () => {
  it("are all in the bundle, and no other (else run: node scripts/generate-manifest.ts)", async () => {
    const messages = await sourceMessages();
    assert.ok(messages.length > 500, String(messages.length));
    const bundle: unknown = JSON.parse(await readFile(join(projectDirectory, "l10n", "bundle.l10n.json"), "utf8"));
    assert.deepEqual(bundle, Object.fromEntries(messages.map((message) => [message, message])));
  });

  it("count their places from 0 without a gap, so that a translation can order them", async () => {
    for (const message of await sourceMessages()) {
      const places = new Set([...message.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place)));
      assert.deepEqual(
        [...places].toSorted(),
        [...places.keys()].map((_, index) => index),
        message,
      );
    }
  });

  it("are read with either quote, over lines, by both names", () => {
    const text = `vscode.l10n.t("One {0}", x); translate(\n  'say "two"',\n); l10n.t("a \\"b\\" \\u2026");`;
    assert.deepEqual(messagesOf(text), ["One {0}", 'say "two"', 'a "b" …']);
  });

  it("must be written out", () => {
    assert.throws(() => messagesOf("vscode.l10n.t(`Hello`)"), /not written out/);
    assert.throws(() => messagesOf("vscode.l10n.t(text)"), /not written out/);
  });
});
