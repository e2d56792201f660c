import assert from "node:assert/strict";
import { setImmediate as nextRound } from "node:timers/promises";
import { childrenOf } from "../../../../src/api/content-server/children.ts";
import { createItem } from "../../../../src/api/content-server/contents.ts";
import { confirmNoCopying, copyFileOnServer, copyFolderOnServer } from "../../../../src/api/content-server/copying.ts";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import { causeOf } from "../../../../src/api/http/errors.ts";
import {
  bodyOf,
  connectionError,
  contentPathOf,
  empty,
  type FakePlatform,
  failureOf,
  fakePlatform,
  item,
  json,
  type Responder,
  sent,
  told,
} from "../fake-platform.ts";

const bytes = Buffer.from("print(1)\n");

/** A server without faults, unless `faults` returns an answer for the request. */
function creating(
  faults: (request: DispatchRequest) => ReturnType<Responder> | undefined = () => undefined,
): FakePlatform {
  return fakePlatform((request) => {
    const fault = faults(request);
    if (fault !== undefined) {
      return fault;
    }
    const path = contentPathOf(request);
    switch (request.method) {
      case "POST": {
        const { type } = bodyOf(request);
        const name = type === "notebook" ? "Untitled.ipynb" : type === "directory" ? "Untitled Folder" : "untitled";
        return json(201, { ...item(path === "" ? name : `${path}/${name}`, String(type)), created: "POST", size: 7 });
      }
      case "PATCH":
        return json(200, { ...item(String(bodyOf(request).path)), size: undefined, renamed: "PATCH" });
      case "PUT":
        return json(200, { ...item(path), size: 9, written: "PUT" });
      default:
        return empty(204);
    }
  });
}

describe("create flow", () => {
  // Proves 4.2: Create flow: POST to the parent directory; Create flow: PATCH the default path with the desired one
  // Proves 4.2: Create flow: PUT for files and notebooks; Create flow: the result is the POST result
  it("of a file with content: POST, PATCH, PUT, and the POST result overlaid with the PATCH result", async () => {
    const fake = creating();
    const { item: made, written } = await createItem(fake.content, "./dir/new.py", bytes);
    assert.deepEqual(sent(fake), ["POST dir", "PATCH dir/untitled", "PUT dir/new.py"]);
    assert.deepEqual(fake.requests.map(bodyOf), [
      { type: "file", path: "dir" },
      { path: "dir/new.py" },
      { type: "file", format: "text", content: "print(1)\n" },
    ]);
    assert.deepEqual([made.path, made.created, made.size, made.renamed], ["dir/new.py", "POST", 7, "PATCH"]);
    assert.equal(written?.size, 9);
  });

  it("of several items at once: one POST at a time in each folder, across clients and after failures", async () => {
    const underWay = new Map<string, number>();
    const max = new Map<string, number>();
    const respond = async (request: DispatchRequest, nth: number) => {
      const path = contentPathOf(request);
      if (request.method !== "POST") {
        return json(200, item(String(bodyOf(request).path)));
      }
      const count = (underWay.get(path) ?? 0) + 1;
      underWay.set(path, count);
      max.set(path, Math.max(count, max.get(path) ?? 0));
      await nextRound();
      underWay.set(path, count - 1);
      return nth === 1 ? json(500, {}) : json(201, item(`${path}/untitled`));
    };
    const fake = fakePlatform(respond);
    const second = fakePlatform((request) => respond(request, 2));
    const paths = ["a/1", "a/2", "b/1", "a/3", "b/2"];
    const outcomes = await Promise.allSettled(
      paths.map((path, index) => createItem((index % 2 === 0 ? fake : second).content, path, undefined)),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", ...paths.slice(1).map(() => "fulfilled")],
    );
    const copies = ["a/4", "b/3"].map((path) => copyFolderOnServer(fake.content, "source", path));
    await Promise.allSettled([...copies, createItem(second.content, "a/5", undefined)]);
    assert.equal([...sent(fake), ...sent(second)].filter((request) => request.startsWith("POST")).length, 8);
    assert.deepEqual(
      max,
      new Map([
        ["a", 1],
        ["b", 1],
      ]),
    );
  });

  it("doesn't start if it is canceled while it waits for an earlier one", async () => {
    const responded = Promise.withResolvers<void>();
    const fake = fakePlatform(async (request) => {
      await responded.promise;
      return request.method === "POST" ? json(201, item("a/untitled")) : json(200, item(String(bodyOf(request).path)));
    });
    const first = createItem(fake.content, "a/1", undefined);
    const canceling = new AbortController();
    const second = createItem(fake.content, "a/2", undefined, { signal: canceling.signal });
    const third = createItem(fake.content, "a/3", undefined);
    await nextRound();
    canceling.abort();
    const error = await failureOf(second);
    assert.equal(causeOf(error)?.type, "cancelled");
    assert.doesNotMatch(error.message, /might remain/);
    responded.resolve();
    await Promise.all([first, third]);
    assert.equal(sent(fake).filter((request) => request.startsWith("POST")).length, 2);
  });

  // Proves 2.3: the Create body has the type and the parent
  // Proves 4.2: Create flow: POST to the parent directory
  it("in the root: the parent is the empty path", async () => {
    const fake = creating();
    await createItem(fake.content, "new.py", undefined);
    assert.deepEqual(sent(fake), ["POST ", "PATCH untitled"]);
    assert.deepEqual(bodyOf(fake.requests[0] ?? assert.fail()), { type: "file", path: "" });
  });

  for (const [what, content] of [
    ["no", undefined],
    ["empty", new Uint8Array()],
  ] as const) {
    it(`of a file and of a notebook with ${what} content: no PUT`, async () => {
      for (const path of ["a.py", "a.ipynb"]) {
        const fake = creating();
        const { written } = await createItem(fake.content, path, content);
        assert.equal(written, undefined);
        assert.deepEqual(
          fake.requests.map(({ method }) => method),
          ["POST", "PATCH"],
        );
      }
    });
  }

  // Proves 4.2: Create flow: a directory takes steps 1 and 2, with type directory
  it("of a directory: steps 1 and 2 with type directory", async () => {
    const fake = creating();
    await createItem(fake.content, "dir/reports", undefined);
    assert.deepEqual(sent(fake), ["POST dir", "PATCH dir/Untitled Folder"]);
    assert.equal(bodyOf(fake.requests[0] ?? assert.fail()).type, "directory");
    const dotted = creating();
    await createItem(dotted.content, "reports.d", undefined, { type: "directory" });
    assert.equal(bodyOf(dotted.requests[0] ?? assert.fail()).type, "directory");
  });

  it("of a notebook: its own text in place", async () => {
    const fake = creating();
    const text = '{"cells": [], "metadata": {"n": 1.0}, "nbformat": 4, "nbformat_minor": 5}';
    await createItem(fake.content, "a.ipynb", Buffer.from(text));
    assert.equal(bodyOf(fake.requests[0] ?? assert.fail()).type, "notebook");
    assert.equal(fake.requests[2]?.body, `{"type":"notebook","format":"json","content":${text}}`);
  });

  it("of an invalid notebook: creates a file in all steps", async () => {
    const fake = creating();
    await createItem(fake.content, "a.ipynb", Buffer.from("{"));
    assert.deepEqual(
      fake.requests.map((request) => bodyOf(request).type),
      ["file", undefined, "file"],
    );
  });

  it("never drops content: a name without a dot is a file if there is content", async () => {
    const fake = creating();
    await createItem(fake.content, "Makefile", bytes);
    assert.deepEqual(sent(fake), ["POST ", "PATCH untitled", "PUT Makefile"]);
    const blank = creating();
    await createItem(blank.content, "Makefile", new Uint8Array());
    assert.equal(bodyOf(blank.requests[0] ?? assert.fail()).type, "file");
  });

  for (const [type, path, word] of [
    ["file", "dir/a.py", "create"],
    ["notebook", "dir/a.ipynb", "create"],
    ["directory", "dir/a", "create_folder"],
  ] as const) {
    for (const step of ["POST", "PATCH"]) {
      it(`${type}: a failed ${step} is a CRUD error of operation ${word} about the requested item`, async () => {
        const fake = creating((request) => (request.method === step ? json(500, { message: "disk full" }) : undefined));
        const failure = await failureOf(createItem(fake.content, path, undefined));
        assert.deepEqual(
          [failure.kind, failure.operationWord, failure.entity, failure.status],
          ["crud", word, path, 500],
        );
        assert.match(failure.message, new RegExp(`^Can't create ${path}: disk full`));
      });
    }
  }

  it("suggests a new token after 403", async () => {
    const fake = creating(() => json(403, { message: "Forbidden" }));
    const failure = await failureOf(createItem(fake.content, "a.py", bytes));
    assert.deepEqual([failure.kind, failure.failureCause.type], ["crud", "tokenRefused"]);
    assert.match(failure.message, /Check that the notebook token is valid\./);
    assert.deepEqual(sent(fake), ["POST "]);
  });

  it("never replaces an item: an existing path is 409, and the untitled item is removed", async () => {
    const fake = creating((request) =>
      request.method === "PATCH" ? json(409, { message: "File already exists: dir/a.py" }) : undefined,
    );
    const failure = await failureOf(createItem(fake.content, "dir/a.py", bytes));
    assert.deepEqual([failure.kind, failure.status], ["crud", 409]);
    assert.deepEqual(sent(fake), ["POST dir", "PATCH dir/untitled", "DELETE dir/untitled"]);
  });

  it("doesn't mention the untitled item if the server rejects the name", async () => {
    const fake = creating((request) =>
      request.method === "PATCH" ? json(400, { message: "Can't rename /srv/dir/untitled" }) : undefined,
    );
    const failure = await failureOf(createItem(fake.content, "dir/a:b.py", bytes));
    assert.equal(failure.message, "Can't create dir/a:b.py: the server doesn't accept the name (400).");
  });

  it("removes the created item if the PUT fails", async () => {
    const fake = creating((request) => (request.method === "PUT" ? empty(507) : undefined));
    const failure = await failureOf(createItem(fake.content, "dir/a.py", bytes));
    assert.deepEqual([failure.status, failure.operationWord], [507, "update"]);
    assert.deepEqual(sent(fake).slice(-2), ["PUT dir/a.py", "DELETE dir/a.py"]);
    assert.equal(failure.message.includes("left behind"), false);
  });

  for (const [step, leftover] of [
    ["PATCH", "dir/untitled"],
    ["PUT", "dir/a.py"],
  ] as const) {
    it(`names the leftover if it can't be removed after a failed ${step}`, async () => {
      const fake = creating((request) => (["DELETE", step].includes(request.method) ? empty(500) : undefined));
      const failure = await failureOf(createItem(fake.content, "dir/a.py", bytes));
      assert.match(failure.message, new RegExp(`${leftover} was left behind on the server`));
      assert.equal(failure.status, 500);
    });
  }

  it("doesn't mention a leftover that no longer exists", async () => {
    const fake = creating((request) =>
      request.method === "PUT" ? empty(500) : request.method === "DELETE" ? empty(404) : undefined,
    );
    assert.equal((await failureOf(createItem(fake.content, "a.py", bytes))).message.includes("behind"), false);
  });

  it("reports what may exist if the connection breaks at the rename and the untitled item is gone", async () => {
    const fake = creating((request) => {
      if (request.method === "PATCH") {
        throw connectionError("ECONNRESET");
      }
      return request.method === "DELETE" ? empty(404) : undefined;
    });
    const failure = await failureOf(createItem(fake.content, "dir/a.py", bytes));
    assert.match(failure.message, /The server may have created dir\/a\.py anyway/);
    assert.equal(failure.operationWord, "create");
  });

  it("reports what may exist if the connection breaks at the POST, which is not retried", async () => {
    const fake = creating(() => {
      throw connectionError("ECONNRESET");
    });
    const failure = await failureOf(createItem(fake.content, "dir/a.py", bytes));
    assert.match(failure.message, /untitled item might remain in dir/);
    assert.equal(fake.requests.length, 1);
  });

  for (const step of ["POST", "PATCH", "PUT"]) {
    it(`leaves nothing behind if it is canceled at the ${step}`, async () => {
      const stop = new AbortController();
      const fake = creating((request) => {
        if (request.method === step) {
          stop.abort();
          if (request.signal.aborted) {
            throw request.signal.reason;
          }
        }
        return undefined;
      });
      const failure = await failureOf(createItem(fake.content, "a.py", bytes, { signal: stop.signal }));
      assert.deepEqual(failure.failureCause, { type: "cancelled" });
      assert.deepEqual(sent(fake).at(-1), "DELETE a.py");
    });
  }

  it("doesn't start if it is already canceled", async () => {
    const fake = creating();
    const failure = await failureOf(createItem(fake.content, "a.py", bytes, { signal: AbortSignal.abort() }));
    assert.deepEqual([failure.failureCause.type, fake.requests.length], ["cancelled", 0]);
  });
});

describe("copying on the server", () => {
  function copying(
    lands: string,
    faults: Parameters<typeof creating>[0] = () => undefined,
    made: Readonly<Record<string, unknown>> = {},
  ): FakePlatform {
    return creating(
      (request) => faults(request) ?? (request.method === "POST" ? json(201, { ...item(lands), ...made }) : undefined),
    );
  }
  const folder = { type: "directory", size: null };

  it("copies a file to its exact path with one request with the described body", async () => {
    const fake = copying("dir/b.py");
    const copy = await copyFileOnServer(fake.content, "a.py", "dir/b.py", { sourceSize: 1 });
    assert.equal(copy?.path, "dir/b.py");
    assert.deepEqual(
      [told(fake.requests[0] ?? assert.fail()), fake.requests[0]?.body],
      ["POST dir/b.py", '{"type":"file","path":"dir","copy_from":"a.py"}'],
    );
    assert.equal(fake.requests.length, 1);
  });

  it("requests the metadata of a file of unknown size", async () => {
    const fake = copying("b.py", (request) => (request.method === "GET" ? json(200, item("a.py")) : undefined));
    assert.equal((await copyFileOnServer(fake.content, "a.py", "b.py"))?.path, "b.py");
    assert.deepEqual(sent(fake), ["POST b.py", "GET a.py"]);
  });

  it("reports what the server has created if a check fails", async () => {
    const fake = copying("b.py", (request) => (request.method === "GET" ? empty(500) : undefined));
    const failure = await failureOf(copyFileOnServer(fake.content, "a.py", "b.py"));
    assert.match(failure.message, /^Can't copy a\.py to b\.py: .* A copy might remain as b\.py\.$/);
  });

  it("moves a file that was created at another path", async () => {
    const fake = copying("a-Copy1.py");
    assert.equal((await copyFileOnServer(fake.content, "a.py", "dir/b.py", { sourceSize: 1 }))?.path, "dir/b.py");
    assert.deepEqual(sent(fake), ["POST dir/b.py", "PATCH a-Copy1.py"]);
  });

  it("accepts a reformatted notebook with the source's content", async () => {
    const text = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}';
    for (const [there, isCopied] of [
      [text.replaceAll(" ", "\n "), true],
      [text.replace("{}", '{"a": 1}'), false],
    ] as const) {
      const read = (request: DispatchRequest): ReturnType<Responder> | undefined => {
        const path = contentPathOf(request);
        return request.method === "GET" ? json(200, item(path, "file", path === "a.ipynb" ? text : there)) : undefined;
      };
      const fake = copying("b.ipynb", read, { type: "notebook" });
      const copy = await copyFileOnServer(fake.content, "a.ipynb", "b.ipynb", { sourceSize: 65 });
      assert.equal(copy?.path, isCopied ? "b.ipynb" : undefined);
      assert.equal(sent(fake).includes("DELETE b.ipynb"), !isCopied);
    }
  });

  it("removes an item that isn't a copy, and doesn't request a copy again", async () => {
    const cases = [
      [copyFileOnServer, { size: 0 }, "dir/untitled"],
      [copyFileOnServer, { type: "directory" }, "dir/Untitled Folder"],
      [copyFolderOnServer, folder, "dir/Untitled Folder"],
      [copyFolderOnServer, { type: "file" }, "dir/a.py"],
    ] as const;
    for (const [copy, made, lands] of cases) {
      const fake = copying(lands, () => undefined, made);
      const options = { sourceSize: 1 };
      assert.equal(await copy(fake.content, "a.py", "dir/b.py", options), undefined);
      assert.equal(sent(fake)[1], `DELETE ${lands}`);
      assert.equal(await copy(fake.content, "a.py", "dir/b.py", options), undefined);
      assert.equal(fake.requests.length, 2);
      const stays = copying(lands, (request) => (request.method === "DELETE" ? empty(500) : undefined), made);
      assert.match((await failureOf(copy(stays.content, "a.py", "dir/b.py", options))).message, new RegExp(lands));
    }
  });

  it("requires the source's children in a folder with an untitled name", async () => {
    for (const [children, isCopied] of [
      [1, true],
      [0, false],
    ] as const) {
      const list = (request: DispatchRequest): ReturnType<Responder> | undefined => {
        const path = contentPathOf(request);
        const count = path === "Untitled Folder" ? 1 : children;
        const content = Array.from({ length: count }, () => item(`${path}/a`));
        return request.method === "GET" ? json(200, item(path, "directory", content)) : undefined;
      };
      const fake = copying("dir/Untitled Folder", list, folder);
      const copy = await copyFolderOnServer(fake.content, "Untitled Folder", "dir/Untitled Folder");
      assert.equal(copy?.path, isCopied ? "dir/Untitled Folder" : undefined);
    }
  });

  it("requests no more copies from a server that seemed not to support them, after a copy by reading and creating", async () => {
    for (const [status, requests] of [
      [404, 1],
      [400, 2],
    ] as const) {
      const fake = copying("x", () => empty(status));
      assert.equal(await copyFileOnServer(fake.content, "a.py", "b.py"), undefined);
      confirmNoCopying(fake.content);
      assert.equal(await copyFileOnServer(fake.content, "a.py", "b.py"), undefined);
      assert.equal(fake.requests.length, requests);
    }
  });

  it("creates a folder's copy in the target's parent, and renames it if its name differs", async () => {
    const renamed = copying("dir/src", undefined, folder);
    assert.equal((await copyFolderOnServer(renamed.content, "src", "dir/lib"))?.path, "dir/lib");
    assert.deepEqual(sent(renamed), ["POST dir", "PATCH dir/src"]);
    const same = copying("dir/src", undefined, folder);
    assert.equal((await copyFolderOnServer(same.content, "src", "dir/src"))?.path, "dir/src");
    assert.deepEqual(sent(same), ["POST dir"]);
  });

  for (const copy of [copyFileOnServer, copyFolderOnServer]) {
    for (const status of [400, 404, 405, 500, 501]) {
      it(`${copy.name}: ${status} means that the server doesn't support copying`, async () => {
        const fake = copying("x", () => empty(status));
        assert.equal(await copy(fake.content, "a.py", "dir/b.py"), undefined);
        assert.equal(fake.requests.length, 1);
      });
    }

    for (const status of [401, 403, 409, 503]) {
      it(`${copy.name}: ${status} is an error`, async () => {
        const fake = copying("x", () => empty(status));
        assert.equal((await failureOf(copy(fake.content, "a.py", "dir/b.py"))).status, status);
      });
    }

    it(`${copy.name}: removes the created item if it can't be moved`, async () => {
      const made = copy === copyFolderOnServer ? folder : {};
      const fake = copying("a.py-Copy1", (request) => (request.method === "PATCH" ? empty(409) : undefined), made);
      assert.equal((await failureOf(copy(fake.content, "a.py", "dir/b.py", { sourceSize: 1 }))).status, 409);
      assert.equal(sent(fake).at(-1), "DELETE a.py-Copy1");
    });
  }
});

describe("children", () => {
  it("are the items of a directory, and of nothing else", () => {
    assert.deepEqual(childrenOf({ name: "d", path: "d", type: "directory", content: [] }, "d"), []);
    for (const [type, content, reason] of [
      ["directory", null, /doesn't list the folder's content/],
      ["directory", [{ name: "x" }], /doesn't list the folder's content/],
      ["file", [], /it isn't a folder/],
    ] as const) {
      assert.throws(() => childrenOf({ name: "d", path: "d", type, content }, "d"), reason);
    }
  });
});
