import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { withoutComments } from "../../../scripts/build/python-source.ts";
import { ready } from "../../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../../scripts/set-up/python-environment.ts";
import { programSources } from "../../../src/api/companion/program-sources.ts";

/** Prints the names of modules whose two sources have different syntax trees, without regard to docstrings. */
const compare = `
import ast, json, sys
def tree(source):
    parsed = ast.parse(source)
    for node in ast.walk(parsed):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return ast.dump(parsed)
print(json.dumps([name for name, pair in json.load(sys.stdin).items() if tree(pair[0]) != tree(pair[1])]))
`;

async function different(modules: Readonly<Record<string, readonly [string, string]>>): Promise<unknown> {
  const { python } = await ready(pythonEnvironment);
  const child = spawn(python, ["-c", compare], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(modules));
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output);
}

describe("the companion's program in the bundle", () => {
  it("does the same as its sources, without comments, docstrings, and most spaces", async () => {
    const modules = Object.entries(programSources).map(
      ([name, source]) => [name, [source, withoutComments(source)]] as const,
    );
    assert.ok(modules.length > 20);
    assert.deepEqual(await different(Object.fromEntries(modules)), []);
    const shorter = modules.filter(([, [source, shortened]]) => shortened.length < source.length * 0.95);
    assert.ok(shorter.length > modules.length / 2);
  });

  it("keeps a docstring that is the only statement, and texts", () => {
    const source = 'class A(Exception):\n    """An error."""\n\n\nX = """a\nb"""\n';
    assert.equal(withoutComments(source), source);
    assert.equal(
      withoutComments('def f():\n    """Doc.\n\n    More."""\n    # Why.\n    return 1\n'),
      "def f():\n return 1\n",
    );
    assert.equal(withoutComments('X = 1\n\n\nif X:\n    Y = """a  b"""\n'), 'X = 1\nif X:\n Y = """a  b"""\n');
  });
});
