import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

const maxPackages = 5000;
/** Maximum number of packages that one request asks about. */
export const maxChangedPackages = 500;
/** Maximum number of characters of a file with requirements. */
export const maxRequirementsLength = 200_000;

/** Everything that the server reports is hostile. */
const name = z.string().check(z.maxLength(200));
const text = z.string().check(z.maxLength(500));
/** Control characters would be keys in a terminal. */
const path = z.string().check(z.maxLength(2000), z.regex(/^\P{Cc}*$/u));

const installedPackage = z.object({
  name,
  version: name,
  summary: text,
  /** For example `pip`, `uv`, or `conda`. Empty if it isn't known. */
  installer: name,
  /** True if it came from a folder, a file, or an address, so that an index may not have it. */
  isDirect: z.boolean(),
});
export type InstalledPackage = z.output<typeof installedPackage>;

const environment = z.object({
  /** The version of Python, such as `3.11.2`. */
  python: name,
  executable: path,
  prefix: path,
  isWindows: z.boolean(),
  hasPip: z.boolean(),
  hasUv: z.boolean(),
  isMadeByUv: z.boolean(),
  /** The program to use if the environment is conda's. */
  conda: z.nullable(z.enum(["mamba", "conda"])),
  /** True if its owner doesn't want pip to change it (`EXTERNALLY-MANAGED`). */
  isManaged: z.boolean(),
});
export type PackageEnvironment = z.output<typeof environment>;

/** Lists the packages by name, and describes their environment. */
export const listPackages = defineCompanionOperation({
  name: "packages.list",
  parameters: z.object({}),
  result: z.object({ packages: z.array(installedPackage).check(z.maxLength(maxPackages)), environment }),
  push: z.unknown(),
});

/** A subscription that reports within about a second that packages were installed or removed. */
export const watchPackages = defineCompanionOperation({
  name: "packages.watch",
  parameters: z.object({}),
  result: z.object({}),
  push: z.object({}),
});

/** Lists those of the packages whose modules the kernel has imported. Names are lowercase, with hyphens. */
export const listLoadedPackages = defineCompanionOperation({
  name: "packages.loaded",
  parameters: z.object({ names: z.array(name).check(z.maxLength(maxChangedPackages)) }),
  result: z.object({ names: z.array(name).check(z.maxLength(maxChangedPackages)) }),
  push: z.unknown(),
});

/** Asks the package index of the environment for newer versions. Fails with `failed`, `missing`, `invalid`, or `slow`. */
export const listPackageUpdates = defineCompanionOperation({
  name: "packages.updates",
  parameters: z.object({}),
  result: z.object({ updates: z.array(z.object({ name, latest: name })).check(z.maxLength(maxPackages)) }),
  push: z.unknown(),
});

/** Maximum number of characters that are searched for. */
export const maxSearchLength = 100;

/**
 * Lists the names in the package indexes of the environment that contain a text, the best first. Fails with `failed` (no
 * index responds), `tooLarge`, `slow`, `missing` (it uses no index), or `invalid` (the text can't be part of a name).
 */
export const searchPackages = defineCompanionOperation({
  name: "packages.search",
  parameters: z.object({ text: z.string().check(z.maxLength(maxSearchLength)) }),
  result: z.object({
    /** Lowercase, with hyphens. */
    names: z.array(name).check(z.maxLength(200)),
    /** The number of all that contain it. */
    total: z.int().check(z.nonnegative()),
    /** Addresses, without credentials. */
    indexes: z.array(text).check(z.maxLength(5)),
  }),
  push: z.unknown(),
});

/** Describes a package of the indexes. Fails like `searchPackages`, and with `notFound`. */
export const describePackage = defineCompanionOperation({
  name: "packages.describe",
  parameters: z.object({ name }),
  result: z.object({
    name,
    /** Those that the environment's Python can install, the newest first. */
    versions: z.array(name).check(z.maxLength(200)),
    /** What is installed if no version is named. Null if there is none. */
    newest: z.nullable(name),
    /** Empty if the index doesn't have it. */
    summary: text,
  }),
  push: z.unknown(),
});

const requirement = z.object({
  /** Without a marker, such as `pandas>=2`. */
  text,
  installed: z.nullable(name),
  /** `other`: a version is installed that doesn't meet the requirement. */
  state: z.enum(["missing", "other", "installed"]),
});
export type ComparedRequirement = z.output<typeof requirement>;

/** Compares the requirements of a file with the environment. Fails with `missing` or `invalid`. */
export const compareRequirements = defineCompanionOperation({
  name: "packages.compare",
  parameters: z.object({
    text: z.string().check(z.maxLength(maxRequirementsLength)),
    kind: z.enum(["requirements", "pyproject"]),
  }),
  result: z.object({
    requirements: z.array(requirement).check(z.maxLength(maxPackages)),
    /** Lines that can't be compared, such as options and addresses. */
    skipped: z.array(name).check(z.maxLength(maxPackages)),
  }),
  push: z.unknown(),
});
