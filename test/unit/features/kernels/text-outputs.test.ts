import assert from "node:assert/strict";
import { activate } from "../../../../src/features/kernels/output/browser/text-outputs.ts";

const stdout = "application/vnd.code.notebook.stdout";
const errorType = "application/vnd.code.notebook.error";
const link = "\u001b]8;;https://example.com\u001b\\a link\u001b]8;;\u001b\\";

interface Item {
  readonly id: string;
  readonly mime: string;
  text(): string;
  json(): unknown;
  data(): Uint8Array;
  appendedText?(): string | undefined;
}

function item(text: string, mime = stdout, id = "1"): Item {
  const data = new TextEncoder().encode(text);
  return { id, mime, text: () => text, json: () => JSON.parse(text), data: () => data, appendedText: () => text };
}

describe("the renderer of text outputs", () => {
  async function load() {
    const rendered: Item[] = [];
    const disposed: (string | undefined)[] = [];
    const renderer = await activate({
      getRenderer: async (id) => {
        assert.equal(id, "vscode.builtin-renderer");
        return {
          renderOutputItem: (one) => void rendered.push(one),
          disposeOutputItem: (id) => void disposed.push(id),
        };
      },
    });
    return { renderer, rendered, disposed };
  }

  it("passes text with nothing but colors on as it is", async () => {
    const { renderer, rendered } = await load();
    const plain = item("one\n\u001b[38;5;208mtwo\u001b[0m\n");
    await renderer.renderOutputItem(plain, {});
    assert.equal(rendered[0], plain);
  });

  it("lets the editor show text without other escape sequences, which it can't append", async () => {
    const { renderer, rendered } = await load();
    await renderer.renderOutputItem(item(`\u001b[32msee\u001b[0m ${link}\u001b[?25l!`), {});
    const [shown] = rendered;
    const safe = "\u001b[32msee\u001b[0m a link!";
    assert.deepEqual([shown?.text(), new TextDecoder().decode(shown?.data())], [safe, safe]);
    assert.equal(shown?.appendedText?.(), undefined);
    assert.deepEqual([shown?.id, shown?.mime], ["1", stdout]);
  });

  it("lets the editor show errors without them", async () => {
    const { renderer, rendered } = await load();
    const error = { name: "ValueError", message: `see ${link}`, stack: `\u001b[31mline\u001b[0m ${link}` };
    await renderer.renderOutputItem(item(JSON.stringify(error), errorType), {});
    const safe = { name: "ValueError", message: "see a link", stack: "\u001b[31mline\u001b[0m a link" };
    assert.deepEqual([rendered[0]?.json(), JSON.parse(rendered[0]?.text() ?? "")], [safe, safe]);
    const plain = item(JSON.stringify({ name: "E", message: "m", stack: "\u001b[31ms" }), errorType);
    await renderer.renderOutputItem(plain, {});
    assert.equal(rendered[1], plain);
    await renderer.renderOutputItem(item("no JSON\u0007", errorType), {});
    assert.equal(rendered[2]?.text(), "no JSON");
  });

  it("disposes of what it has shown, and of nothing else", async () => {
    const { renderer, disposed } = await load();
    await renderer.renderOutputItem(item("one", stdout, "1"), {});
    await renderer.renderOutputItem(item("two", stdout, "2"), {});
    renderer.disposeOutputItem?.("1");
    renderer.disposeOutputItem?.();
    assert.deepEqual(disposed, ["1", "2"]);
  });
});
