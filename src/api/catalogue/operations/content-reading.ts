import * as z from "zod/mini";
import { contentReadErrors } from "../content-errors.ts";
import { contentItem } from "../models/contents.ts";
import { defineOperation } from "../operation.ts";

const zeroOrOne = z.optional(z.union([z.literal(0), z.literal(1)]));

/** In a separate file because it loads with the extension. The operations that change contents load on first use. */
export const getContent = defineOperation({
  id: "contents.get",
  section: "4.2",
  summary: "Read a content item, optionally with its body or children",
  method: "GET",
  path: "api/contents/{path*}",
  pathParameters: { path: z.string() },
  queryParameters: {
    content: zeroOrOne,
    type: z.optional(z.enum(["notebook", "file", "directory"])),
    format: z.optional(z.enum(["json", "text", "base64"])),
    hash: zeroOrOne,
    no_track_activity: z.optional(z.literal(1)),
  },
  body: z.undefined(),
  response: contentItem,
  credential: "notebook",
  effect: "read",
  failure: "Can't read {path}",
  entity: "{path}",
  errors: { ...contentReadErrors, 404: { kind: "notFound" } },
  transfer: true,
});
