import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startTwoClients, type TwoClients } from "./two-clients.ts";

const book = (word: string): string => `{"cells":[],"metadata":{"word":"${word}"},"nbformat":4,"nbformat_minor":5}`;
const options = { create: true, overwrite: true };

/**
 * Neither the size nor the time shows that this is another version, after a rename or within one tick of the server's
 * clock.
 */
describe("another version of the same size", () => {
  let place: TwoClients["place"];
  let one: TwoClients["one"];
  let other: TwoClients["other"];
  let stop: TwoClients["stop"];

  before(async () => {
    ({ place, one, other, stop } = await startTwoClients());
  });
  after(() => stop());

  for (const [kind, extension, content] of [
    ["a file", ".txt", (word: string) => word],
    ["a notebook", ".ipynb", book],
  ] as const) {
    it(`${kind} that was created here, changed by someone else, and renamed here is not overwritten`, async () => {
      const [from, to] = [`${randomUUID()}${extension}`, `${randomUUID()}${extension}`];
      await one.files.writeFile(one.uri(from), Buffer.from(content("one")), options);
      await other.files.readFile(other.uri(from));
      await other.files.writeFile(other.uri(from), Buffer.from(content("two")), options);
      await one.files.rename(one.uri(from), one.uri(to), { overwrite: false });

      const saved = one.files.writeFile(one.uri(to), Buffer.from(content("six")), options);
      await assert.rejects(saved, { code: "Unavailable", message: /was changed on the server/ });
      assert.match(await readFile(join(place.root, to), "utf8"), /two/);
    });
  }

  it("a file that was created here and changed by someone else at the same time is not overwritten", async () => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const path = `${randomUUID()}.txt`;
      await one.files.writeFile(one.uri(path), Buffer.from("one"), options);
      await other.files.writeFile(other.uri(path), Buffer.from("two"), options);
      const saved = one.files.writeFile(one.uri(path), Buffer.from("six"), options);
      await assert.rejects(saved, { code: "Unavailable", message: /was changed on the server/ });
    }
  });
});
