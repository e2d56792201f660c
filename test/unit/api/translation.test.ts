import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { catalogue } from "../../../src/api/catalogue/operations/catalogue.ts";
import { getWorkspace, startInstance } from "../../../src/api/catalogue/operations/workspaces.ts";
import { responseError } from "../../../src/api/client/exchange-errors.ts";
import { invalidInput, operationError } from "../../../src/api/client/operation-errors.ts";
import type { PlatformError } from "../../../src/api/http/errors.ts";
import { Phrase, phrase } from "../../../src/api/phrase.ts";
import { messageOf, translated, translatedError } from "../../../src/api/translation.ts";
import { FileError, notFound } from "../../../src/file-system/errors.ts";
import { english } from "../ui/translate.ts";

/** Encloses each message in brackets, without its values. */
function marked(text: string, ...values: readonly string[]): string {
  return `⟦${text.replace(/\{(\d+)\}/g, (_, index: string) => `⟧${values[Number(index)]}⟦`)}⟧`;
}

describe("a phrase", () => {
  const place = phrase`the folder ${"a`{0}b"}`;

  it("reads as English, and as its message for translators", () => {
    assert.equal(String(phrase`${3} files are in ${place}.`), "3 files are in the folder a`{0}b.");
    assert.equal(JSON.stringify({ place }), '{"place":"the folder a`{0}b"}');
    assert.equal(messageOf(place), "the folder {0}");
    assert.equal(messageOf(new Phrase(["Nothing."])), "Nothing.");
  });

  it("is translated with the phrases within it, except for text from servers", () => {
    assert.equal(
      translated(phrase`${3} files are in ${place}.`, marked),
      "⟦⟧3⟦ files are in ⟧⟦the folder ⟧a`{0}b⟦⟧⟦.⟧",
    );
    assert.equal(translated("Quota {0} exceeded", marked), "Quota {0} exceeded");
  });
});

describe("errors in another language", () => {
  const refusedWith = (status: number, body: object): PlatformError =>
    responseError(
      getWorkspace,
      { workspaceId: "w-1" },
      { status, headers: { "content-type": "application/json" }, body: new TextEncoder().encode(JSON.stringify(body)) },
      () => ({ status, headers: {}, body: JSON.stringify(body) }),
    );

  it("are translated completely, except for text from the server or the user", () => {
    const missing = refusedWith(404, {});
    assert.equal(
      missing.message,
      "Can't read workspace w-1: it doesn't exist (404). It may have been deleted, or belong to another tenant.",
    );
    assert.equal(
      translatedError(missing, marked).replaceAll("⟦⟧", ""),
      "⟦Can't read workspace ⟧w-1⟦: ⟧⟦it doesn't exist (404)⟧⟦. ⟧⟦It may have been deleted, or belong to another tenant.⟧",
    );
    const said = translatedError(refusedWith(500, { message: "Quota exceeded", toe: "T1" }), marked);
    assert.match(said.replaceAll("⟦⟧", ""), /⟦: ⟧+Quota exceeded⟦ \(⟧500⟦\)⟧⟦ \(trace ⟧T1⟦\)⟧/);
    const { parts } = missing.withRemark(phrase`It is in ${"a.txt"}.`);
    assert.ok(parts.remedy !== undefined);
    assert.match(translated(parts.remedy, marked), /another tenant\.⟧.*⟦It is in ⟧a\.txt⟦\.⟧/);
  });

  it("of a kind that names the request contain the sent request", () => {
    const failed = operationError(
      { ...startInstance, route: "POST /instances/{workspaceId}" },
      { workspaceId: "w-1" },
      {
        kind: "route",
        cause: { type: "cancelled" },
        reason: phrase`it was canceled`,
      },
    );
    assert.equal(failed.failure, "Can't start workspace w-1 (POST /instances/w-1)");
  });

  it("of the file system are also translated; others are unchanged", () => {
    assert.equal(translatedError(notFound(""), marked), "⟦⟧⟦the workspace root⟧⟦ doesn't exist.⟧");
    assert.equal(translatedError(new FileError("refused", "a", "said elsewhere"), marked), "said elsewhere");
    assert.equal(translatedError(new Error("other"), marked), "other");
    assert.equal(translatedError("thrown", marked), "thrown");
  });

  it("read the same in English as their messages", () => {
    for (const error of [refusedWith(401, {}), refusedWith(302, {}), refusedWith(403, { message: "no {0} here" })]) {
      assert.equal(translatedError(error, english), error.message);
    }
  });

  it("of every operation have their messages in the bundle", async () => {
    const text = await readFile(join(projectDirectory, "l10n", "bundle.l10n.json"), "utf8");
    const bundle = z.parse(z.record(z.string(), z.string()), JSON.parse(text));
    for (const operation of catalogue) {
      const { parts } = invalidInput(operation, {}, "id", phrase`it isn't valid`);
      const phrases = phrasesWithin(parts.failure);
      assert.ok(phrases.length > 0, operation.id);
      for (const phrased of phrases) {
        assert.ok(messageOf(phrased) in bundle, `${operation.id}: ${messageOf(phrased)}`);
      }
    }
  });
});

function phrasesWithin(value: unknown): readonly Phrase[] {
  return value instanceof Phrase ? [value, ...value.values.flatMap(phrasesWithin)] : [];
}
