import { type FidelitySection, operation, statement } from "./statement.ts";

const contents = "test/unit/api/content-server/contents.test.ts";
const listingTest = "test/unit/api/content-server/listing.test.ts";
const listing = {
  code: ["src/api/content-server/listing.ts#listRecursively"],
  reach: ["command:goToFile", "command:searchInWorkspace", "tool:contents_list", "language-model:platform_find_files"],
  served: ["operation:contents.get"],
};
const chosen =
  "test/ui/shared-folder/palette.test.ts > searches the files that the user chooses: folder, ignored folders, file types, subfolders, hidden files";
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
      proof: ["test/content-server/sample-tenant.test.ts > accepts only a workspace's own token on its content server"],
    }),
    statement("A content path is relative to the workspace root, and the root is the empty path", {
      code: ["src/api/catalogue/content-path.ts#normalizeContentPath"],
      reach: ["scheme:platform-contents"],
      served: ["operation:contents.get"],
      proof: ["test/content-server/reading.test.ts > returns the root for both forms of its path"],
    }),
    statement("A leading `./` is dropped", {
      code: ["src/api/catalogue/content-path.ts#normalizeContentPath"],
      reach: ["operation:contents.get"],
      served: ["operation:contents.get"],
      proof: [
        "test/unit/api/catalogue/content-path.test.ts > read the root without a trailing slash, and drop a leading ./",
      ],
    }),
    operation("contents.get", "GET an item with content 1, the default, or 0", { reach: ["scheme:platform-contents"] }),
    operation(
      "contents.create",
      "POST in a directory creates an item with a default name, whose path is used to rename it",
      {
        reach: ["scheme:platform-contents"],
        proof: ["test/content-server/creating.test.ts > chooses free untitled names"],
      },
    ),
    operation("contents.rename", "PATCH renames an item to a new full path", { reach: ["scheme:platform-contents"] }),
    operation("contents.update", "PUT writes an item", { reach: ["scheme:platform-contents"] }),
    operation("contents.update", "A complete Update body is sent unchanged", {
      code: ["src/api/catalogue/models/contents.ts#updateBody"],
      proof: [
        "test/unit/api/client/client-input.test.ts > use the defaults of a search, and a caller's complete Update body unchanged",
        "test/unit/api/client/client-input.test.ts > accept a complete Update body in any other format, unchanged",
      ],
    }),
    operation("contents.delete", "DELETE returns 204", {
      reach: ["scheme:platform-contents"],
      proof: ["test/content-server/moving.test.ts > deletes a file with 204, and returns 404 the second time"],
    }),
    operation("contents.checkpoints.create", "POST checkpoints creates one", { reach: ["command:createCheckpoint"] }),
    operation("contents.checkpoints.list", "GET checkpoints lists them", { reach: ["command:listCheckpoints"] }),
    operation("contents.dataflow.update", "PUT a notebook's dataflow takes an object of the API's own form", {
      reach: ["command:updateDataflow"],
      proof: ["test/unit/api/catalogue/content-path.test.ts > use the dialect's segment for the dataflow"],
    }),
    statement("Create flow: POST to the parent directory with type and parent path, empty for the root", {
      ...create,
      proof: [
        `${contents} > of a file with content: POST, PATCH, PUT, and the POST result overlaid with the PATCH result`,
        `${contents} > in the root: the parent is the empty path`,
      ],
    }),
    statement("Create flow: PATCH the default path with the desired one", {
      ...create,
      proof: [
        `${contents} > of a file with content: POST, PATCH, PUT, and the POST result overlaid with the PATCH result`,
      ],
    }),
    statement("Create flow: PUT for files and notebooks with content that is not empty", {
      ...create,
      proof: [
        `${contents} > of a file with content: POST, PATCH, PUT, and the POST result overlaid with the PATCH result`,
      ],
      open: {
        code: "New files above the size limit of one request are uploaded in chunks if the content server supports that.",
      },
    }),
    statement("Create flow: the result is the POST result overlaid with the PATCH result", {
      ...create,
      proof: [
        `${contents} > of a file with content: POST, PATCH, PUT, and the POST result overlaid with the PATCH result`,
      ],
    }),
    statement("Create flow: a directory takes steps 1 and 2, with type directory", {
      ...create,
      proof: [`${contents} > of a directory: steps 1 and 2 with type directory`],
    }),
    statement("Type and format follow from the extension: json for notebooks, text for files", {
      ...create,
      code: ["src/api/content-server/content-types.ts#inferType"],
      proof: [
        "test/unit/api/content-server/content-types.test.ts > sends a valid notebook as a notebook with its unchanged text and every digit of its numbers",
      ],
    }),
    statement("Recursive listing: begins at the content path, the root by default", {
      ...listing,
      proof: [`${listingTest} > content_path: starts there, a leading ./ dropped`, chosen],
    }),
    statement("Recursive listing: ignored folders are matched against path segments", {
      ...listing,
      proof: [`${listingTest} > ignore_folders: matches whole segments, and never requests what is below`, chosen],
    }),
    statement("Recursive listing: file types apply only to files, and directories are always followed", {
      ...listing,
      proof: [`${listingTest} > included_filetypes: filters only files; folders are always followed`, chosen],
    }),
    statement("Recursive listing: it is recursive by default", {
      ...listing,
      proof: [`${listingTest} > is_recursive false: one request, the folder and its children`, chosen],
    }),
    statement("Recursive listing: hidden names are skipped by default", {
      ...listing,
      proof: [
        `${listingTest} > exclude_hidden false: lists names with a leading dot, but not checkpoints and executions`,
        chosen,
      ],
    }),
    statement("Recursive listing: checkpoints and recent executions are always skipped, also in a flat listing", {
      ...listing,
      proof: [
        `${listingTest} > exclude_hidden false: lists names with a leading dot, but not checkpoints and executions`,
        "test/front-door/tools.test.ts > lists with the options of the recursive listing, and always skips certain items",
      ],
    }),
    statement("Recursive listing: each path is visited once", {
      ...listing,
      proof: [`${listingTest} > visits each path once, even with duplicate entries`],
    }),
    statement("Recursive listing: the result is flat, with the starting item", {
      ...listing,
      proof: [
        `${listingTest} > is a flat list with the starting item first, without hidden, checkpoint, and execution entries`,
      ],
    }),
    statement("Recursive listing: at most five requests at a time", {
      ...listing,
      proof: [`${listingTest} > keeps exactly five requests in flight for as long as there are folders to read`],
    }),
  ],
};
