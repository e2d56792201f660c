import assert from "node:assert/strict";
import type { SecretCheck } from "../../../../src/ui/quick-input/secret-input.ts";
import { askForSecret } from "../../../../src/ui/quick-input/secret-input.ts";
import { nextInput } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

describe("the box for a secret", () => {
  const prompt = "Copy the token from the browser.";

  async function open(check: (secret: string, signal: AbortSignal) => Promise<SecretCheck<string>>) {
    const shown = nextInput();
    const asked = askForSecret({ title: "Token", prompt, placeholder: "", check });
    return { input: await shown, asked };
  }

  it("keeps the prompt visible next to any error, and while the text is tested", async () => {
    const result = Promise.withResolvers<SecretCheck<string>>();
    const { input, asked } = await open(() => result.promise);
    assert.deepEqual([input.password, input.words], [true, prompt]);
    input.type("two words");
    assert.match(input.words, /contains a space\..* Copy the token from the browser\.$/);
    input.submit("Bearer token-1");
    assert.deepEqual([input.busy, input.words], [true, prompt]);
    result.resolve({ accepted: false, reason: "It was refused." });
    await until("the refusal shows", () => input.words === `It was refused. ${prompt}`);
    assert.deepEqual([input.busy, input.value], [false, "Bearer token-1"]);
    input.dispose();
    assert.equal(await asked, undefined);
  });

  it("returns the value of the cleaned secret, and doesn't test invalid text", async () => {
    const tried: string[] = [];
    const { input, asked } = await open(async (secret) => {
      tried.push(secret);
      return { accepted: true, value: `value of ${secret}` };
    });
    input.submit("two words");
    input.submit("");
    assert.deepEqual(tried, []);
    input.submit(" Authorization: token token-2 ");
    assert.equal(await asked, "value of token-2");
    assert.deepEqual(tried, ["token-2"]);
  });

  it("returns undefined when it is closed, and cancels the test", async () => {
    let signal: AbortSignal | undefined;
    const { input, asked } = await open((_, given) => {
      signal = given;
      return new Promise(() => {});
    });
    input.submit("token-3");
    input.dispose();
    assert.equal(await asked, undefined);
    assert.equal(signal?.aborted, true);
  });

  it("throws the error of the test", async () => {
    const { input, asked } = await open(() => Promise.reject(new Error("the workspace stopped")));
    const failed = assert.rejects(asked, /the workspace stopped/);
    input.submit("token-4");
    await failed;
  });
});
