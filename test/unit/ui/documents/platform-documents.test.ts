import assert from "node:assert/strict";
import { documentUri } from "../../../../src/ui/documents/document-address.ts";
import { PlatformDocuments } from "../../../../src/ui/documents/platform-documents.ts";

describe("a document that changes on the platform while it is read", () => {
  const uri = documentUri({ kind: "sample", tenantId: "acme", workspaceId: "", key: "1", title: "Sales" });
  let documents: PlatformDocuments;
  let reads: PromiseWithResolvers<string>[];

  beforeEach(() => {
    reads = [];
    documents = new PlatformDocuments();
    const read = () => {
      const started = Promise.withResolvers<string>();
      reads.push(started);
      return started.promise;
    };
    documents.add({ sample: { read, write: async () => {} } });
  });
  afterEach(() => documents.dispose());

  const text = async (read: Promise<Uint8Array>): Promise<string> => Buffer.from(await read).toString();

  it("is read again after a reload, and has the size of what was read last", async () => {
    const earlier = documents.readFile(uri);
    documents.reload(uri);
    const later = documents.readFile(uri);
    assert.equal(reads.length, 2);
    reads[1]?.resolve("what it is now");
    assert.equal(await text(later), "what it is now");
    reads[0]?.resolve("before");
    await earlier;
    assert.equal((await documents.stat(uri)).size, "what it is now".length);
  });

  it("has the size of what was saved meanwhile", async () => {
    const earlier = documents.readFile(uri);
    await documents.writeFile(uri, Buffer.from("what was saved"));
    reads[0]?.resolve("before");
    await earlier;
    assert.equal((await documents.stat(uri)).size, "what was saved".length);
  });

  it("is read once for all who ask at the same time", async () => {
    const [one, other, status] = [documents.readFile(uri), documents.readFile(uri), documents.stat(uri)];
    assert.equal(reads.length, 1);
    reads[0]?.resolve("text");
    assert.deepEqual([await text(one), await text(other), (await status).size], ["text", "text", 4]);
  });
});
