import assert from "node:assert/strict";
import { listAccounts } from "../../../../src/api/catalogue/operations/data.ts";
import { getDesignAssets, listDesigns } from "../../../../src/api/catalogue/operations/designs.ts";
import { Client, type RawResponse } from "../../../../src/api/client/client.ts";
import { PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import { createTransport } from "../../../../src/api/http/transport.ts";
import { rawOutput } from "../../../../src/programs/command-line/raw-output.ts";

const secret = "the-own-credential";
const base = new URL("https://acme.example.com");
const transport = createTransport();
const client = new Client(
  {
    kind: "platform",
    base,
    dialect: dialects.documented,
    limits: singleUserLimits,
    credential: new PlatformCredential(base.origin, secret),
  },
  transport,
);

function response(status: number, body: string | Uint8Array, contentType = "application/json"): RawResponse {
  return { status, headers: { "content-type": contentType }, body: Buffer.from(body) };
}

const piped = { isUnmasked: false, isTerminal: false };
const onTerminal = { isUnmasked: false, isTerminal: true };

function textOf(content: Uint8Array | string): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

describe("the raw output of the command line", () => {
  after(() => transport.close());

  it("is the unchanged body, with its status on a separate line", () => {
    const { content, line } = rawOutput(client, listDesigns, response(404, '{ "half": ', "text/html"), piped);
    assert.equal(textOf(content), '{ "half": ');
    assert.equal(line, "HTTP 404, text/html, 10 bytes");
    const bytes = Uint8Array.from([0x63, 0x61, 0x66, 0xe9]);
    assert.deepEqual(
      rawOutput(client, listDesigns, response(200, bytes, "text/plain"), piped).content,
      Buffer.from(bytes),
    );
  });

  it("hides its own credential, and values with secret names in an error response", () => {
    const echoed = `{"message":"no access for ${secret}","apiToken":"other"}`;
    const refused = textOf(rawOutput(client, listDesigns, response(403, echoed), piped).content);
    assert.equal(refused, '{"message":"no access for [redacted]","apiToken":"[redacted]"}');
    const taken = textOf(rawOutput(client, listDesigns, response(200, echoed), piped).content);
    assert.equal(taken, '{"message":"no access for [redacted]","apiToken":"other"}');
  });

  it("masks possible secrets of other systems, unless disabled", () => {
    const accounts = response(200, '[{"name":"S3","configurations":{"key":"abc"}}]');
    const masked = textOf(rawOutput(client, listAccounts, accounts, piped).content);
    assert.doesNotMatch(masked, /abc/);
    assert.match(masked, /"name": "S3"/);
    const broken = textOf(rawOutput(client, listAccounts, response(200, '[{"key":"abc"'), piped).content);
    assert.equal(broken, "[redacted]");
    const { content } = rawOutput(client, listAccounts, accounts, { ...piped, isUnmasked: true });
    assert.deepEqual(content, accounts.body);
  });

  it("shows no control characters, no bytes, and limited text on a terminal", () => {
    const colored = "first\u001b[31mred\u202e\nsecond\tcolumn\r\n";
    const shown = rawOutput(client, listDesigns, response(500, colored, "text/plain"), onTerminal).content;
    assert.equal(shown, "first\\u{001b}[31mred\\u{202e}\nsecond\tcolumn\\u{000d}\n\n");
    const archive = response(200, Uint8Array.from([80, 75, 0, 1]), "application/zip");
    const zip = rawOutput(client, getDesignAssets, archive, onTerminal);
    assert.deepEqual([zip.content, /--output/.test(zip.line)], ["", true]);
    assert.deepEqual(rawOutput(client, getDesignAssets, archive, piped).content, archive.body);
    const long = rawOutput(client, listDesigns, response(200, "x".repeat(3_000_000), "text/plain"), onTerminal);
    assert.ok(long.content.length < 1_100_000);
    assert.match(long.line, /The response is truncated/);
  });
});
