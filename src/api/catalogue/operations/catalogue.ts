import * as contents from "./contents.ts";
import * as designs from "./designs.ts";
import * as frontDoor from "./front-door.ts";
import * as pages from "./pages.ts";
import * as reads from "./reads.ts";
import * as sandbox from "./sandbox.ts";
import * as users from "./users.ts";
import * as workflows from "./workflows.ts";
import * as workspaces from "./workspaces.ts";

/** Every operation of the platform, declared once; clients, routers, commands and documents are derived from it. */
export const catalogue = [
  ...Object.values(workspaces),
  ...Object.values(contents),
  ...Object.values(designs),
  ...Object.values(sandbox),
  ...Object.values(pages),
  ...Object.values(workflows),
  ...Object.values(users),
  ...Object.values(reads),
  ...Object.values(frontDoor),
] as const;

export type CatalogueOperation = (typeof catalogue)[number];
export type OperationId = CatalogueOperation["id"];
