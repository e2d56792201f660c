import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { storedLicenses } from "../../../scripts/build/license-texts.ts";
import { noticesFor, packageNames } from "../../../scripts/build/third-party-notices.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

describe("third-party notices", () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-notices-"));
  });

  after(() => rm(directory, { recursive: true, force: true }));

  /** Writes a package's files and returns the paths of its code. */
  async function install(path: string, license: unknown, files: Readonly<Record<string, string>>): Promise<string[]> {
    const root = `node_modules/${path}`;
    const all = { ...files, "package.json": JSON.stringify({ version: "1.2.3", license }) };
    for (const [name, text] of Object.entries(all)) {
      const target = join(directory, root, name);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
    return Object.keys(files)
      .filter((name) => name.endsWith(".js"))
      .map((name) => `${root}/${name}`);
  }

  const notices = (files: readonly string[]): Promise<string> => noticesFor("The product", files, directory);

  it("have the license and the notices of each package, also of nested ones", async () => {
    const files = [
      ...(await install("outer", "Apache-2.0", {
        "lib/index.js": "export {};",
        LICENSE: "The outer license.\r\nIts second line.  \r\n\r\n",
        "NOTICE.txt": "The outer notice.",
      })),
      ...(await install("outer/node_modules/@scope/inner", "(MIT OR GPL-3.0-or-later)", {
        "index.js": "export {};",
        "license.md": "The inner license.",
      })),
    ];
    const text = await notices(files);
    assert.match(text, /^ {2}@scope\/inner 1\.2\.3: \(MIT OR GPL-3\.0-or-later\)\n {2}outer 1\.2\.3: Apache-2\.0\n/m);
    assert.match(
      text,
      /\nouter 1\.2\.3\nLicense: Apache-2\.0\n-+\nThe outer license\.\nIts second line\.\n-+\nThe outer notice\.\n/,
    );
    assert.match(text, /\n@scope\/inner 1\.2\.3\nLicense: .*\n-+\nThe inner license\.\n/);
    assert.deepEqual(packageNames(files), ["outer", "@scope/inner"]);
    assert.equal(text.includes(directory), false);
    assert.equal(await notices([...files].reverse()), text);
  });

  it("have a text that several packages share once", async () => {
    const license = "MIT License\n\nCopyright the same authors";
    const files = [
      ...(await install("first", "MIT", { "a.js": "", LICENSE: license })),
      ...(await install("second", "MIT", { "a.js": "", LICENSE: license.replaceAll("\n", "\r\n") })),
    ];
    const text = await notices(files);
    assert.match(text, /\nfirst 1\.2\.3\nsecond 1\.2\.3\nLicense: MIT\n/);
    assert.equal(text.split("Copyright the same authors").length, 2);
  });

  it("have the copyrights that only the bundled code contains", async () => {
    const files = await install("parts", "MIT", {
      LICENSE: "Copyright (c) 2020 The authors of parts",
      "known.js": "/**\n * Copyright (c) 2020\n * The authors of parts\n */\nexport {};",
      "other.js": "// (C) 1995 Somebody else\n// Permission is granted to anyone.\nexport {};",
      "minified.js": 'var a="/*",b=1;/*! Copyright 2001 A minifier */var c;\n/* An explanation. */',
    });
    const text = await notices(files);
    assert.equal(text.split("The authors of parts").length, 2);
    assert.match(text, /-+\n\(C\) 1995 Somebody else\nPermission is granted to anyone\.\n/);
    assert.match(text, /-+\nCopyright 2001 A minifier\n/);
    assert.doesNotMatch(text, /explanation|export/);
  });

  it("have packages whose code another package contains", async () => {
    const files = await install("bundler", "MIT", {
      LICENSE: "The license of bundler",
      "dist.js":
        "//#region ../node_modules/.pnpm/ajv-formats@3.0.1_ajv@8.18.0/node_modules/ajv-formats/dist/index.js\n",
    });
    assert.match(await notices(files), /\najv-formats 3\.0\.1 \(in bundler 1\.2\.3\)\nLicense: MIT\n-+\nMIT License\n/);
  });

  it("can't be written for a package without a license text or with another license, and name each", async () => {
    const files = [
      ...(await install("textless", "MIT", { "a.js": "" })),
      ...(await install("reciprocal", "GPL-3.0-only", { "a.js": "", LICENSE: "The GPL" })),
      ...(await install("combined", "(MIT AND GPL-3.0-only)", { "a.js": "", LICENSE: "Both" })),
      ...(await install("proprietary", "SEE LICENSE IN LICENSE", { "a.js": "", LICENSE: "All rights reserved" })),
      ...(await install("unnamed", undefined, { "a.js": "", LICENSE: "A text" })),
      ...(await install("container", "MIT", { "a.js": "// node_modules/unheard-of/index.js\n", LICENSE: "A text" })),
    ];
    await assert.rejects(notices(files), (error: Error) => {
      assert.deepEqual(error.message.split("\n").slice(1), [
        '  combined 1.2.3: its license "(MIT AND GPL-3.0-only)" isn\'t on the list of allowed licenses',
        "  unheard-of (in container 1.2.3): no license text. Add it to scripts/build/license-texts.ts",
        '  proprietary 1.2.3: its license "SEE LICENSE IN LICENSE" isn\'t on the list of allowed licenses',
        '  reciprocal 1.2.3: its license "GPL-3.0-only" isn\'t on the list of allowed licenses',
        "  textless 1.2.3: no license text. Add it to scripts/build/license-texts.ts",
        '  unnamed 1.2.3: its license "none" isn\'t on the list of allowed licenses',
      ]);
      return true;
    });
  });

  it("use each stored license text", async () => {
    const stored = await readdir(join(projectDirectory, "scripts", "build", "license-texts"));
    assert.deepEqual(
      Object.values(storedLicenses)
        .map(({ file }) => file)
        .sort(),
      stored.sort(),
    );
  });

  it("are in the package, and next to the program in the front door's image", async () => {
    const allowed = await readFile(join(projectDirectory, ".vscodeignore"), "utf8");
    assert.match(allowed, /^!THIRD_PARTY_NOTICES\.txt$/m);
    const image = await readFile(join(projectDirectory, "deployment", "front-door", "Dockerfile"), "utf8");
    assert.match(image, /^COPY --from=build .*\/front-door\/THIRD_PARTY_NOTICES\.txt \/opt\/front-door\//m);
  });
});
