import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Person } from "./person.ts";
import { startTwoClients, type TwoClients } from "./two-clients.ts";

const notebook = Buffer.from('{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');

describe("a file that someone else replaced while its cache entry was fresh", () => {
  let place: TwoClients["place"];
  let one: TwoClients["one"];
  let other: TwoClients["other"];
  let stop: TwoClients["stop"];

  before(async () => {
    ({ place, one, other, stop } = await startTwoClients());
  });
  after(() => stop());

  it("is opened in its current version, so that its save asks nothing", async () => {
    const [replaced, moved] = [`${randomUUID()}.txt`, `${randomUUID()}.ipynb`];
    const options = { create: true, overwrite: true };
    await one.files.writeFile(one.uri(replaced), Buffer.from("one"), options);
    await other.files.writeFile(other.uri(moved), notebook, options);
    await other.files.rename(other.uri(moved), other.uri(replaced), { overwrite: true });

    const person = new Person(one);
    const shown = await person.open(replaced);
    assert.equal(person.seen(replaced).size, shown.byteLength);
    one.time.pass(6_000);
    person.type(replaced, Buffer.from("two"));
    await person.save(replaced);
    assert.equal(await readFile(join(place.root, replaced), "utf8"), "two");
  });

  it("is found again after a refresh if it was missing in between", async () => {
    const path = `${randomUUID()}.txt`;
    const options = { create: true, overwrite: true };
    await one.files.writeFile(one.uri(path), Buffer.from("one"), options);
    await other.files.readFile(other.uri(path));
    await one.files.delete(one.uri(path), { recursive: false });
    other.time.pass(6_000);
    await assert.rejects(other.files.stat(other.uri(path)), { code: "FileNotFound" });

    await one.files.writeFile(one.uri(path), Buffer.from("three"), options);
    other.refresh();
    assert.equal((await other.files.stat(other.uri(path))).size, 5);
  });
});
