import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

/** Maximum number of links that are listed; a folder with that many is an error. */
const maxLinks = 1000;

const path = z.string().check(z.maxLength(4096));

/**
 * Lists the links in a folder and in the folders in it, also in those that followed links lead to. `isLink` says whether the
 * folder itself is a link. Of a link, `isFollowed` says whether a copy of the folder can follow it: it leads to an item of
 * the folder, and not to a folder that it is in. Paths are from the workspace's root. Fails with `tooMany` if the folder
 * has 1,000 links or more, or more than 500,000 items.
 */
export const listLinks = defineCompanionOperation({
  name: "workspace.links",
  parameters: z.object({ folder: path }),
  result: z.object({
    isLink: z.boolean(),
    links: z.array(z.object({ path, isDirectory: z.boolean(), isFollowed: z.boolean() })).check(z.maxLength(maxLinks)),
  }),
  push: z.never(),
});
