import { type FidelitySection, operation, rule, statement } from "./statement.ts";

const listing = {
  code: ["src/api/content-server/listing.ts#listRecursively"],
  reach: [
    "command:goToFile",
    "command:searchInWorkspace",
    "command:replaceInWorkspace",
    "tool:contents_list",
    "language-model:platform_find_files",
  ],
  served: ["operation:contents.get"],
};
const create = {
  code: ["src/api/content-server/contents.ts#createItem"],
  reach: ["scheme:platform-contents", "tool:contents_write"],
  served: ["operation:contents.create", "operation:contents.rename", "operation:contents.update"],
};

/** The content server. */
export const section42: FidelitySection = {
  number: "4.2",
  title: "Content server",
  statements: [
    statement("Paths begin with the user's namespace and the workspace's short id", {
      code: ["src/api/families/content-server-location.ts#findContentServer"],
      reach: ["command:openWorkspace"],
      served: ["src/programs/sample-tenant/content-requests.ts#ContentRequests"],
    }),
    statement("A content path is relative to the workspace root, and the root is the empty path", {
      code: ["src/api/catalogue/content-path.ts#normalizeContentPath"],
      reach: ["scheme:platform-contents"],
      served: ["operation:contents.get"],
    }),
    statement("A leading `./` is dropped", {
      code: ["src/api/catalogue/content-path.ts#normalizeContentPath"],
      reach: ["operation:contents.get"],
      served: ["operation:contents.get"],
    }),
    operation("contents.get", "GET an item with content 1, the default, or 0", { reach: ["scheme:platform-contents"] }),
    rule(
      "contents.create",
      "POST in a directory creates an item with a default name, whose path is used to rename it",
      { reach: ["scheme:platform-contents"] },
    ),
    operation("contents.rename", "PATCH renames an item to a new full path", { reach: ["scheme:platform-contents"] }),
    operation("contents.update", "PUT writes an item", { reach: ["scheme:platform-contents"] }),
    rule("contents.update", "A complete Update body is sent unchanged", {
      code: ["src/api/catalogue/models/contents.ts#updateBody"],
    }),
    rule("contents.delete", "DELETE returns 204", { reach: ["scheme:platform-contents"] }),
    operation("contents.checkpoints.create", "POST checkpoints creates one", { reach: ["command:createCheckpoint"] }),
    operation("contents.checkpoints.list", "GET checkpoints lists them", { reach: ["command:listCheckpoints"] }),
    rule("contents.dataflow.update", "PUT a notebook's dataflow takes an object of the API's own form", {
      reach: ["command:updateDataflow"],
    }),
    statement("Create flow: POST to the parent directory with type and parent path, empty for the root", create),
    statement("Create flow: PATCH the default path with the desired one", create),
    statement("Create flow: PUT for files and notebooks with content that is not empty", {
      ...create,
      open: {
        code: "New files above the size limit of one request are uploaded in chunks if the content server supports that.",
      },
    }),
    statement("Create flow: the result is the POST result overlaid with the PATCH result", create),
    statement("Create flow: a directory takes steps 1 and 2, with type directory", create),
    statement("Type and format follow from the extension: json for notebooks, text for files", {
      ...create,
      code: ["src/api/content-server/content-types.ts#inferType"],
    }),
    statement("Recursive listing: begins at the content path, the root by default", listing),
    statement("Recursive listing: ignored folders are matched against path segments", listing),
    statement("Recursive listing: file types apply only to files, and directories are always followed", listing),
    statement("Recursive listing: it is recursive by default", listing),
    statement("Recursive listing: hidden names are skipped by default", listing),
    statement(
      "Recursive listing: checkpoints and recent executions are always skipped, also in a flat listing",
      listing,
    ),
    statement("Recursive listing: each path is visited once", listing),
    statement("Recursive listing: the result is flat, with the starting item", listing),
    statement("Recursive listing: at most five requests at a time", listing),
  ],
};
