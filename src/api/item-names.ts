import { phrase, type Text } from "./phrase.ts";

/** UTF-16 code units. File systems allow 255 bytes, and object stores 1,024. A longer name only delays windows. */
const maxNameLength = 1_024;

/**
 * Why an item of a listing can't be used under this name; undefined for a usable name. Listings come from servers, and
 * a name that is not one path segment would be joined to a path outside of the listed folder. `\` is an ordinary
 * character on most servers, but separates folders for the programs of a computer with Windows.
 */
export function itemNameProblem(name: string, platform: NodeJS.Platform = process.platform): Text | undefined {
  if (name === "") {
    return phrase`its name is empty`;
  }
  if (name === "." || name === "..") {
    return phrase`its name is a reference to a folder`;
  }
  if (name.includes("/") || (platform === "win32" && name.includes("\\"))) {
    return phrase`its name has a character that separates folders`;
  }
  if (name.includes("\0") || !name.isWellFormed()) {
    return phrase`its name has a character that isn't allowed in names`;
  }
  if (name.length > maxNameLength) {
    return phrase`its name is too long`;
  }
  return undefined;
}
