import { decodedText } from "../../../api/content-server/content-types.ts";
import { type Picture, pictureOf } from "./pictures.ts";

/** The content of a file in a result. The result has either the content or its picture. */
interface FileResult {
  readonly members:
    | { readonly encoding: "text" | "base64"; readonly content: string }
    | { readonly encoding: "picture" };
  readonly pictures: readonly Picture[];
}

/** Text unchanged, a picture as an image, and anything else as base64. With `exact`, a picture is base64, too. */
export function fileResult(bytes: Uint8Array, exact: boolean): FileResult {
  const text = decodedText(bytes);
  if (text !== undefined) {
    return { members: { encoding: "text", content: text }, pictures: [] };
  }
  const picture = exact ? undefined : pictureOf(bytes);
  return picture === undefined
    ? { members: { encoding: "base64", content: Buffer.from(bytes).toString("base64") }, pictures: [] }
    : { members: { encoding: "picture" }, pictures: [picture] };
}
