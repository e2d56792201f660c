import assert from "node:assert/strict";
import { serverPath, serverSource } from "../../../../src/api/debugging/server-paths.ts";

describe("paths of the debugger", () => {
  const layout = { roots: ["/home/ann/work", "/data/work"], cellPrefix: "/tmp/ipykernel_7/", cellSuffix: ".py" };

  it("are cells, files of the workspace, or sources of libraries", () => {
    assert.deepEqual(serverSource("/tmp/ipykernel_7/123.py", layout), { kind: "cell", hash: "123" });
    assert.deepEqual(serverSource("/home/ann/work/sub/a b.py", layout), { kind: "workspace", path: "sub/a b.py" });
    assert.deepEqual(serverSource("/data/work/a.py", layout), { kind: "workspace", path: "a.py" });
    assert.deepEqual(serverSource("/home/ann/workshop/a.py", layout), {
      kind: "library",
      path: "/home/ann/workshop/a.py",
    });
    assert.equal(serverSource("<string>", layout), undefined);
    assert.equal(serverSource("", layout), undefined);
  });

  it("that leave the workspace are no files of it", () => {
    assert.equal(serverSource("/home/ann/work/../secret.py", layout)?.kind, "library");
  });

  it("work on Windows", () => {
    const windows = { roots: ["C:\\work"], cellPrefix: "C:\\Temp\\ipykernel_7\\", cellSuffix: ".py" };
    assert.deepEqual(serverSource("C:\\work\\sub\\a.py", windows), { kind: "workspace", path: "sub/a.py" });
    assert.deepEqual(serverSource("C:\\Temp\\ipykernel_7\\5.py", windows), { kind: "cell", hash: "5" });
    assert.equal(serverPath("sub/a.py", windows), "C:\\work\\sub\\a.py");
  });

  it("need the workspace's root", () => {
    assert.equal(serverPath("sub/a.py", layout), "/home/ann/work/sub/a.py");
    assert.equal(serverPath("a.py", { ...layout, roots: ["/"] }), "/a.py");
    assert.equal(serverPath("a.py", { ...layout, roots: [] }), undefined);
  });
});
