import { type Picture, pictureBytes, pictureFrom } from "./pictures.ts";

/**
 * A picture in a notebook's JSON text: its member's name, and its base64 as a string or a list of strings. The member
 * follows a brace or a comma, because quotes within strings are escaped.
 */
const pictureMember =
  /([{,]\s*"image\/(?:png|jpeg|gif|webp)"\s*:\s*)("(?:[\w+/=]|\\n)*"|\[\s*(?:"(?:[\w+/=]|\\n)*"\s*(?:,\s*)?)*\])/g;

/** What replaces a picture. */
const replacement = /"image\/[a-z]+"\s*:\s*"\[picture \d+ left out by contents_read: /;

/** A notebook's JSON text whose pictures are replaced by their number, type, and size, and the pictures in order. */
export function withoutPictures(notebook: string): { readonly text: string; readonly pictures: readonly Picture[] } {
  const pictures: Picture[] = [];
  const text = notebook.replace(pictureMember, (whole, member: string, value: string) => {
    const picture = pictureFrom(base64Of(value));
    if (picture === undefined) {
      return whole;
    }
    pictures.push(picture);
    const facts = `${picture.mimeType}, ${pictureBytes(picture)} bytes`;
    return `${member}"[picture ${pictures.length} left out by contents_read: ${facts}]"`;
  });
  return { text, pictures };
}

/** True if the text of a notebook has lost its pictures in `withoutPictures`. */
export function lacksPictures(notebook: string): boolean {
  return replacement.test(notebook);
}

function base64Of(value: string): string {
  const parsed: unknown = JSON.parse(value.replace(/,\s*\]$/, "]"));
  return Array.isArray(parsed) ? parsed.join("") : String(parsed);
}
