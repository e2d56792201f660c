import * as z from "zod/mini";
import { getDesignAssets } from "../../../api/catalogue/operations/designs.ts";
import { fileResult } from "./file-result.ts";
import { checkInput, outcomeOf } from "./operation-call.ts";
import { type Tool, ToolError, type ToolResponse } from "./tool.ts";
import { customTool, wholeContent } from "./tool-definition.ts";

const shape = z.strictObject({
  ...getDesignAssets.pathParameters,
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
  exact: z._default(z.boolean(), false),
});

const megabyte = 1024 * 1024;
/** Limits for an entire archive, and for a file that is read. An archive can be crafted to expand without end. */
const wholeLimits = { entries: 5000, bytes: 64 * megabyte };
const fileLimits = { entries: wholeLimits.entries, bytes: 8 * megabyte };

/** Tools for the source of app designs, because a ZIP archive is of little use to a remote caller. */
export function designAssetTools(): readonly Tool[] {
  return [assets];
}

const assets = customTool({
  name: "designs_versions_assets",
  toolset: "designs",
  summary: "List the source files of an app design's version, or read one of them",
  remarks: [
    "Returns the paths and sizes of the files in the version's archive. With path, returns that file: text unchanged, a picture as an image, anything else as base64.",
  ],
  shape,
  about: {
    path: "The file to read, as named in the list. Omit it to list the files.",
    exact: "True to return a picture as base64.",
  },
  effect: "read",
  check: (given) => checkInput(getDesignAssets, assetsOf(given)),
  run: async (given, { platform, signal }) => {
    const { path, exact } = given;
    const client = await platform();
    signal.throwIfAborted();
    const { response } = await outcomeOf(client, getDesignAssets, assetsOf(given), signal);
    const archive = response?.body ?? new Uint8Array();
    const { designId, version } = given;
    const { ArchiveError, measureArchive, readArchiveFile } = await import(
      "../../../api/families/archive-unpacking.ts"
    );
    try {
      return path === undefined
        ? { value: { designId, version, files: await measureArchive(archive, wholeLimits, signal) }, ...wholeContent }
        : {
            ...shownFile(path, await readArchiveFile(archive, path, fileLimits, signal), exact),
            ...wholeContent,
            longMember: "content",
          };
    } catch (error) {
      if (error instanceof ArchiveError) {
        const reason = `The archive of version ${version} of app design ${designId} can't be used: ${error.message}.`;
        throw new ToolError("archive", reason);
      }
      throw error;
    }
  },
});

function assetsOf({ designId, version }: z.output<typeof shape>) {
  return { designId, version };
}

function shownFile(
  path: string,
  bytes: Uint8Array | undefined,
  exact: boolean,
): Pick<ToolResponse, "value" | "pictures"> {
  if (bytes === undefined) {
    throw new ToolError("arguments", `The archive has no file ${path}. To list its files, omit path.`);
  }
  const { members, pictures } = fileResult(bytes, exact);
  return { value: { path, size: bytes.byteLength, ...members }, pictures };
}
