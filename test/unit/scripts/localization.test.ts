import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { findFiles } from "../../../scripts/find-files.ts";
import { messagesOf, sourceMessages } from "../../../scripts/localization.ts";
import { phrasesOf, untaggedWords } from "../../../scripts/phrases.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

describe("the messages of the sources", () => {
  it("are exactly those in the bundle (else run: node scripts/generate-manifest.ts)", async () => {
    const messages = await sourceMessages();
    assert.ok(messages.length > 500, String(messages.length));
    const bundle: unknown = JSON.parse(await readFile(join(projectDirectory, "l10n", "bundle.l10n.json"), "utf8"));
    assert.deepEqual(bundle, Object.fromEntries(messages.map((message) => [message, message])));
  });

  it("number their placeholders from 0 without gaps, so that a translation can reorder them", async () => {
    for (const message of await sourceMessages()) {
      const places = new Set([...message.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place)));
      assert.deepEqual(
        [...places].toSorted(),
        [...places.keys()].map((_, index) => index),
        message,
      );
    }
  });

  it("have a separate singular form", async () => {
    const messages = await sourceMessages();
    const nouns = "cards cells conflicts files folders items notebooks owners pages results runs versions".split(" ");
    const counted = new RegExp(`\\{\\d+\\} (?:new )?(${nouns.join("|")})\\b`);
    // Limits, and texts for two items or more.
    const never1 = /more than \{\d\}|first \{0\}|these \{\d\}|of \{\d\} items|any of \{0\}/;
    const plural = messages.filter((message) => counted.test(message) && !never1.test(message));
    assert.ok(plural.length > 8, plural.join("\n"));
    const numberless = (message: string): string => message.replaceAll(/\{\d+\}/g, "{}");
    const known = messages.map(numberless);
    const withoutOne = plural.filter((message) => {
      const found = counted.exec(message);
      const noun = found?.[1] ?? "";
      const before = numberless(message.slice(0, found?.index));
      return !known.some(
        (other) => other.startsWith(`${before}1 `) && other.includes(noun.slice(0, -1), before.length),
      );
    });
    assert.deepEqual(withoutOne, []);
  });

  it("are found with either quote, across lines, by both names", () => {
    const text = `vscode.l10n.t("One {0}", x); translate(\n  'say "two"',\n); l10n.t("a \\"b\\" \\u2026");`;
    assert.deepEqual(messagesOf(text), ["One {0}", 'say "two"', 'a "b" …']);
  });

  it("must be literals", () => {
    assert.throws(() => messagesOf("vscode.l10n.t(`Hello`)"), /isn't a literal/);
    assert.throws(() => messagesOf("vscode.l10n.t(text)"), /isn't a literal/);
  });
});

/** Folders and files whose errors inform other parts, or are only logged. */
const notShown = [
  "api/companion/tunnel/forwarded-port.ts",
  "api/http/web-socket",
  "api/http/network/response-body.ts",
  "api/http/undici-dispatcher.ts",
  "api/kernels/driver/driven-connection.ts",
  "api/kernels/protocol/agenda.ts",
  "api/terminals/messages.ts",
  "tenants/tenant-file.ts",
];

/** Declarations of operations, whose texts are messages because of their names. */
const declarations = [
  "api/catalogue/operations/",
  "api/content-server/notebook-export.ts",
  "api/content-server/raw-files.ts",
  "api/kernels/operations.ts",
  "api/resources/server-metrics.ts",
  "api/runs/scheduler-operations.ts",
  "api/terminals/operations.ts",
];

describe("the phrases of the layers below the editor's", () => {
  it("are found in templates with any values, and in operations", () => {
    const text = `
      throw new FileError("exists", to, phrase\`\${named(to, \`a \${b}\`)} already exists.\`);
      const given = { failure: "Can't read {path} of {id}", reason: phrase\`it is "\${kind ?? phrase\`a file\`}"\` };
    `;
    assert.deepEqual(phrasesOf(text), ["{0} already exists.", "Can't read {0} of {1}", 'it is "{0}"', "a file"]);
  });

  it("are distinguished from untagged messages", () => {
    assert.deepEqual(untaggedWords(`error.withRemark(isLeft ? \`It is in \${place}.\` : phrase\`It is gone.\`);`), [
      `\`It is in \${place}.\``,
    ]);
    assert.deepEqual(untaggedWords('new FileError("exists", path, "It already exists.");'), ['"It already exists."']);
    assert.deepEqual(untaggedWords(`const parts = { reason: \`it has \${count} items\` };`), [
      `\`it has \${count} items\``,
    ]);
  });

  it("include all error messages of the API layer, of tenants, and of the file system", async () => {
    const source = join(projectDirectory, "src");
    const found: Record<string, readonly string[]> = {};
    for (const folder of ["api", "tenants", "file-system"]) {
      for (const file of await findFiles(join(source, folder), ".ts")) {
        const name = relative(source, file).split(sep).join("/");
        const isExempt = [...notShown, ...declarations].some((start) => name.startsWith(start));
        const words = isExempt ? [] : untaggedWords(await readFile(file, "utf8"));
        if (words.length > 0) {
          found[name] = words;
        }
      }
    }
    assert.deepEqual(found, {});
  });
});
