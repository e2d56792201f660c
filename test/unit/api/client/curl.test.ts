import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { curlCommand } from "../../../../src/api/client/curl.ts";
import type { PreparedRequest } from "../../../../src/api/client/request.ts";

/** The arguments after `curl` that a shell passes to the program. */
function shellArguments(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const environment = { PLATFORM_TOKEN: "the-token", NOTEBOOK_TOKEN: "the-notebook-token", INTERNAL_SECRET: "s" };
  return execFileSync("sh", ["-c", script], { env: environment, encoding: "utf8" }).split("\0").slice(0, -1);
}

const request: PreparedRequest = {
  method: "POST",
  url: new URL("https://acme.example.com/api/a%20b?x=it's"),
  header: { name: "authorization", template: "Bearer {token}" },
  body: `{"text":"it's $HOME \`id\` \\\\ \\"q\\" ü"}`,
};

describe("a request as curl", () => {
  it("contains the variable instead of the secret, and everything else unchanged", () => {
    const command = curlCommand(request, "platform");
    assert.match(command, /Bearer \$PLATFORM_TOKEN"/);
    assert.deepEqual(shellArguments(command), [
      ...["--request", "POST", request.url.href],
      ...["--header", "authorization: Bearer the-token"],
      ...["--header", "content-type: application/json", "--data-raw", request.body],
    ]);
    assert.match(curlCommand({ ...request, body: undefined }, "notebook"), /\$NOTEBOOK_TOKEN"$/);
  });

  it("passes through a shell unchanged, regardless of the body and the header template", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (value, word) => {
        const body = JSON.stringify({ value });
        const template = `${word.replace(/[\0\r\n{}]/g, "")} {token}`;
        const header = { name: "x-key", template };
        const given = shellArguments(curlCommand({ ...request, header, body }, "platform"));
        assert.equal(given.at(-1), body);
        assert.equal(given[4], `x-key: ${template.replace("{token}", () => "the-token")}`);
      }),
      { numRuns: 60 },
    );
  });
});
