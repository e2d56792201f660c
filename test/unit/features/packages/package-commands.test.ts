import assert from "node:assert/strict";
import type { PackageEnvironment } from "../../../../src/api/companion/operations/packages.ts";
import {
  installFileWords,
  installWords,
  toolFor,
  toolOf,
  uninstallWords,
} from "../../../../src/features/packages/package-commands.ts";

const plain: PackageEnvironment = {
  python: "3.13.1",
  executable: "/opt/my env/bin/python",
  prefix: "/opt/my env",
  isWindows: false,
  hasPip: true,
  hasUv: false,
  isMadeByUv: false,
  conda: null,
  isManaged: false,
};

describe("the tool that changes an environment", () => {
  it("is pip, unless the environment is uv's or conda's", () => {
    assert.equal(toolFor(plain), "pip");
    assert.equal(toolFor({ ...plain, hasUv: true }), "pip");
    assert.equal(toolFor({ ...plain, hasUv: true, isMadeByUv: true }), "uv");
    assert.equal(toolFor({ ...plain, isMadeByUv: true }), "pip");
    assert.equal(toolFor({ ...plain, hasUv: true, hasPip: false }), "uv");
    assert.equal(toolFor({ ...plain, hasPip: false }), undefined);
    assert.equal(toolFor({ ...plain, conda: "mamba", hasPip: false }), "conda");
  });

  it("is the one that has installed a package, in an environment of conda", () => {
    const environment = { ...plain, conda: "conda" } as const;
    assert.equal(toolOf(environment, { installer: "conda" }), "conda");
    assert.equal(toolOf(environment, { installer: "" }), "conda");
    assert.equal(toolOf(environment, { installer: "pip" }), "pip");
  });
});

describe("the commands that change an environment", () => {
  it("name its Python or its folder", () => {
    const { executable, prefix } = plain;
    assert.deepEqual(installWords(plain, "pip", ["a>=1"]), [executable, "-m", "pip", "install", "a>=1"]);
    assert.deepEqual(installWords(plain, "uv", ["a"], true), [
      "uv",
      "pip",
      "install",
      "--python",
      executable,
      "--upgrade",
      "a",
    ]);
    const conda = { ...plain, conda: "mamba" } as const;
    assert.deepEqual(installWords(conda, "conda", ["a"]), ["mamba", "install", "--prefix", prefix, "a"]);
    assert.deepEqual(installWords(conda, "conda", ["a"], true), ["mamba", "update", "--prefix", prefix, "a"]);
    assert.deepEqual(uninstallWords(conda, "conda", "a"), ["mamba", "remove", "--prefix", prefix, "a"]);
    assert.deepEqual(uninstallWords(plain, "pip", "a"), [executable, "-m", "pip", "uninstall", "--yes", "a"]);
    assert.deepEqual(uninstallWords(plain, "uv", "a"), ["uv", "pip", "uninstall", "--python", executable, "a"]);
  });

  it("name a file in the folder of the terminal, never as an option", () => {
    assert.deepEqual(installFileWords(plain, "pip", "-e.txt").slice(-2), ["-r", "./-e.txt"]);
  });
});
