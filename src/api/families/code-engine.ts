import type { PackageFunction, PackageVersion } from "../catalogue/models/code-engine.ts";
import { getCodeEnginePackage, getCodeEngineVersion } from "../catalogue/operations/code-engine.ts";
import { listCodeEnginePackages } from "../catalogue/operations/instance.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isMissingOperation } from "../client/missing-operation.ts";
import { isRecord } from "../records.ts";

/** A code engine package. */
export interface CodePackage {
  /** Undefined for an entry of the platform's list without an id. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly description: string;
  /** As the platform writes it: `PYTHON`, `JAVASCRIPT`. */
  readonly language: string;
  readonly owner: string | number | undefined;
  readonly createdOn: string | number | undefined;
  readonly updatedOn: string | number | undefined;
  /** Newest first. */
  readonly versions: readonly CodeVersion[];
}

/** A version of a package. */
export interface CodeVersion {
  readonly version: string;
  readonly description: string;
  readonly isReleased: boolean;
  readonly releasedOn: string | number | undefined;
}

/** All packages that the user can see, by name. */
export async function readPackages(client: PlatformClient, options: CallOptions = {}): Promise<readonly CodePackage[]> {
  const packages = await client.call(listCodeEnginePackages, {}, options);
  return packages.map(packageOf).toSorted((a, b) => (a.name ?? "").localeCompare(b.name ?? ""));
}

/**
 * One package with its versions. A platform without an operation for it (the API description has none) lists all
 * packages. Throws if there is none with this id.
 */
export async function readPackage(client: PlatformClient, packageId: string): Promise<CodePackage> {
  try {
    return packageOf(await client.call(getCodeEnginePackage, { packageId, parts: "versions" }));
  } catch (error) {
    if (!isMissingOperation(getCodeEnginePackage, error)) {
      throw error;
    }
    const found = (await readPackages(client)).find(({ id }) => id === packageId);
    if (found === undefined) {
      throw error;
    }
    return found;
  }
}

/** A version with its functions and its source. */
export async function readVersion(
  client: PlatformClient,
  packageId: string,
  version: string,
  options: CallOptions = {},
): Promise<PackageVersion> {
  return await client.call(getCodeEngineVersion, { packageId, version, parts: "functions,code" }, options);
}

/** The functions of a version that can be called from outside the package. */
export function publicFunctions({
  functions,
}: PackageVersion): readonly (PackageFunction & { readonly name: string })[] {
  return (functions ?? []).flatMap((own) =>
    own.isPrivate === true || own.name === null || own.name === undefined ? [] : [{ ...own, name: own.name }],
  );
}

/** The extension of a source file in a package's language. */
export function sourceExtension(language: string | null | undefined): string {
  switch ((language ?? "").toUpperCase()) {
    case "PYTHON":
      return ".py";
    case "JAVASCRIPT":
      return ".js";
    case "TYPESCRIPT":
      return ".ts";
    default:
      return ".txt";
  }
}

type PackageEntry = Awaited<ReturnType<typeof listEntries>>[number];

const listEntries = (client: PlatformClient) => client.call(listCodeEnginePackages, {});

function packageOf({
  id,
  name,
  description,
  language,
  owner,
  createdOn,
  updatedOn,
  versions,
}: PackageEntry): CodePackage {
  return {
    id: id === null || id === undefined ? undefined : String(id),
    name: name ?? undefined,
    description: description ?? "",
    language: language ?? "",
    owner: owner ?? undefined,
    createdOn: createdOn ?? undefined,
    updatedOn: updatedOn ?? undefined,
    versions: (versions ?? [])
      .flatMap(({ version, description: text, released }) =>
        version === null || version === undefined
          ? []
          : [
              {
                version,
                description: text ?? "",
                isReleased: released !== null && released !== undefined && released !== false,
                releasedOn: releaseTime(released),
              },
            ],
      )
      .toSorted((a, b) => b.version.localeCompare(a.version, "en", { numeric: true })),
  };
}

/** When a version was released: the platform returns a time, or an object with it. */
function releaseTime(released: unknown): string | number | undefined {
  const time = isRecord(released) ? (released.releasedOn ?? released.time) : released;
  return typeof time === "string" || typeof time === "number" ? time : undefined;
}
