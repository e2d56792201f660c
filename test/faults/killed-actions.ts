import { type Operation, operations } from "./operations.ts";

/** The actions during which the extension host is killed. */
export interface KilledAction extends Operation {
  /**
   * What a kill may leave in addition to the states before and after: the server's default name for a new item, or a
   * temporary name.
   */
  readonly leftovers: RegExp;
  /** What remains of it after the next start. Everything else is cleaned up then. */
  readonly staying: RegExp;
  /** The edited file. The editor restores its unsaved text. */
  readonly edited?: { readonly path: string; readonly text: string };
}

const nothing = /^$/;

function named(name: string): Operation {
  const operation = operations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return operation;
}

function leaving(name: string, leftovers: RegExp): KilledAction {
  return { ...named(name), leftovers, staying: leftovers };
}

function edited({ after }: Operation, path: string): { readonly path: string; readonly text: string } {
  return { path, text: after[path] ?? "" };
}

export const killedActions: readonly KilledAction[] = [
  leaving("create a file", /^(untitled|new\.py)$/),
  leaving("create a folder", /^Untitled Folder$/),
  { ...leaving("save a file", nothing), edited: edited(named("save a file"), "a.txt") },
  leaving("rename a file", nothing),
  { ...named("rename a file onto another"), leftovers: /^b\.txt\.replaced-[0-9a-f]{8}$/, staying: nothing },
  {
    name: "copy a file onto another",
    before: { "a.txt": "new\n", "b.txt": "old\n" },
    after: { "a.txt": "new\n", "b.txt": "new\n" },
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
    act: ({ client }, at) => client.files.copy(client.uri(at("a.txt")), client.uri(at("b.txt")), { overwrite: true }),
    leftovers: /^b\.txt\.(?:replaced|copying)-[0-9a-f]{8}$/,
    staying: nothing,
  },
  {
    name: "rename a folder onto another",
    before: { "f/a.txt": "new\n", "g/b.txt": "old\n" },
    after: { "g/a.txt": "new\n" },
    act: ({ client }, at) => client.files.rename(client.uri(at("f")), client.uri(at("g")), { overwrite: true }),
    leftovers: /^g\.replaced-[0-9a-f]{8}(?:\/(?:b\.txt|untitled))?$/,
    staying: nothing,
  },
  leaving("copy a file", nothing),
  leaving("delete a file", nothing),
  // A server that deletes no folder with content is asked with an empty file whether the folder is a link.
  leaving("delete a folder", /^f\/(?:g\/)?untitled$/),
  { ...named("upload a big file"), leftovers: /^big\.txt\.saving-[0-9a-f]{8}$/, staying: nothing },
  {
    ...named("save a big file"),
    leftovers: /^big\.txt\.(saving|replaced)-[0-9a-f]{8}$/,
    // A complete upload next to an existing file may be the only copy of someone's changes: it is kept and reported.
    staying: /^big\.txt\.saving-[0-9a-f]{8}$/,
    edited: edited(named("save a big file"), "big.txt"),
  },
];

export function killedAction(name: string): KilledAction {
  const action = killedActions.find((candidate) => candidate.name === name);
  if (action === undefined) throw new Error(`there is no action ${name}`);
  return action;
}
