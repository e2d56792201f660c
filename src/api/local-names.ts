import { splitExtension } from "./catalogue/content-path.ts";

/** Where items get their names: a kind of computer, a content server, or an archive, which any computer may unpack. */
export type NamingSystem = "windows" | "mac" | "linux" | "server" | "archive";

interface NamingRules {
  /** Characters that names can't have. */
  readonly unusable: RegExp;
  /** True if names that differ only in case or Unicode normalization are the same name. */
  readonly folds: boolean;
  /** True if names such as `con` are devices, and final dots and spaces are dropped. */
  readonly hasDevices: boolean;
}

/** The system of this computer. */
export const thisSystem: NamingSystem =
  process.platform === "win32" ? "windows" : process.platform === "darwin" ? "mac" : "linux";

const separators = /[/\0]/gu;
const rules: Readonly<Record<NamingSystem, NamingRules>> = {
  windows: { unusable: /[\p{Cc}<>:"/\\|?*]/gu, folds: true, hasDevices: true },
  mac: { unusable: separators, folds: true, hasDevices: false },
  linux: { unusable: separators, folds: false, hasDevices: false },
  server: { unusable: separators, folds: false, hasDevices: false },
  archive: {
    unusable: thisSystem === "windows" ? /[\p{Cc}<>:"/\\|?*]/gu : /[\p{Cc}/\\]/gu,
    folds: thisSystem !== "linux",
    hasDevices: thisSystem === "windows",
  },
};

/** Names that Windows reserves for devices, also with an extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?=\.|$)/iu;

/** Bytes of UTF-8. Windows counts UTF-16 units, of which a name in UTF-8 never has more than bytes. */
const maxNameBytes = 255;

/**
 * The names under which one folder of a system can hold these items, in the same order. A name that the system can
 * hold stays the same; of several names that are the same name there, the first one does.
 */
export function localNames(names: readonly string[], system: NamingSystem): readonly string[] {
  const taken = new Set<string>();
  const chosen = names.map((name) => {
    const key = comparedName(name, system);
    const isFree = heldName(name, system) === name && !taken.has(key);
    if (isFree) {
      taken.add(key);
    }
    return isFree ? name : undefined;
  });
  return names.map((name, index) => chosen[index] ?? freeName(heldName(name, system), system, taken));
}

interface NameTree {
  readonly children: Map<string, NameTree>;
  local: string;
}

/**
 * The paths under which one folder of a system can hold these files, by their own path with slashes. Files and folders
 * of one folder that would have the same name get different names.
 */
export function localPaths(paths: Iterable<string>, system: NamingSystem): ReadonlyMap<string, string> {
  const root: NameTree = { children: new Map(), local: "" };
  const all = [...paths];
  const nodesOf = (path: string): readonly NameTree[] => {
    let node = root;
    return path.split("/").map((name) => {
      const next = node.children.get(name) ?? { children: new Map(), local: name };
      node.children.set(name, next);
      node = next;
      return next;
    });
  };
  all.forEach(nodesOf);
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const names = localNames([...node.children.keys()], system);
    for (const [index, child] of [...node.children.values()].entries()) {
      child.local = names[index] ?? child.local;
      waiting.push(child);
    }
  }
  return new Map(
    all.map((path) => [
      path,
      nodesOf(path)
        .map(({ local }) => local)
        .join("/"),
    ]),
  );
}

/** The name of an item as a folder of a system can hold it. */
export function heldName(name: string, system: NamingSystem): string {
  const { unusable, hasDevices } = rules[system];
  let held = name.replace(unusable, "-");
  if (held === "" || held === "." || held === "..") {
    held = "-";
  }
  if (hasDevices) {
    held = held.replace(/[. ]$/u, "-").replace(device, (found) => `${found.trimEnd()}_`);
  }
  return shortened(held, maxNameBytes);
}

/** The name in the form in which a system compares it with others of the same folder. */
export function comparedName(name: string, system: NamingSystem): string {
  return rules[system].folds ? name.normalize("NFC").toLowerCase() : name;
}

/** The name, or the first with a number that is not taken. Takes it. */
function freeName(name: string, system: NamingSystem, taken: Set<string>): string {
  const [stem, extension] = splitExtension(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const candidate = `${shortened(stem, maxNameBytes - Buffer.byteLength(suffix + extension))}${suffix}${extension}`;
    const key = comparedName(candidate, system);
    if (!taken.has(key)) {
      taken.add(key);
      return candidate;
    }
  }
}

/** Shortens the stem of a name, so that it has at most this number of bytes. */
function shortened(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) {
    return name;
  }
  const [stem, extension] = splitExtension(name);
  const kept = Buffer.byteLength(extension) < maxBytes / 2 ? extension : "";
  const budget = maxBytes - Buffer.byteLength(kept);
  let bytes = 0;
  let short = "";
  for (const character of kept === "" ? name : stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > budget) {
      break;
    }
    short += character;
  }
  return short + kept;
}
