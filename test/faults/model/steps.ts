import fc from "fast-check";
import { pathAt, paths } from "./paths.ts";

/** One action of one of the two clients. */
export type Step = { readonly client: 0 | 1 } & (
  | { readonly do: "rest" }
  | { readonly do: "read" | "look" | "glance" | "list"; readonly path: string }
  | { readonly do: "open" | "close" | "revert" | "overwrite"; readonly path: string }
  | { readonly do: "type"; readonly path: string; readonly content: number }
  | { readonly do: "save"; readonly path: string }
  | { readonly do: "write"; readonly path: string; readonly content: number; readonly overwrite: boolean }
  | { readonly do: "createDirectory"; readonly path: string }
  | { readonly do: "delete"; readonly path: string; readonly recursive: boolean }
  | { readonly do: "rename" | "copy"; readonly path: string; readonly to: string; readonly overwrite: boolean }
  | { readonly do: "burst"; readonly path: string; readonly contents: readonly number[] }
);

const client = fc.constantFrom<0 | 1>(0, 1);
const path = fc.nat({ max: paths.length - 1 }).map(pathAt);
const content = fc.nat({ max: 7 });

/** Resting comes first, so that a minimized failure contains as many rests as possible. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.record({ client, do: fc.constant("rest" as const) }) },
  { weight: 3, arbitrary: fc.record({ client, do: fc.constant("read" as const), path }) },
  { weight: 3, arbitrary: fc.record({ client, do: fc.constantFrom("look", "glance", "list"), path }) },
  { weight: 4, arbitrary: fc.record({ client, do: fc.constant("open" as const), path }) },
  { weight: 4, arbitrary: fc.record({ client, do: fc.constant("type" as const), path, content }) },
  { weight: 4, arbitrary: fc.record({ client, do: fc.constant("save" as const), path }) },
  { weight: 2, arbitrary: fc.record({ client, do: fc.constantFrom("close", "revert", "overwrite"), path }) },
  {
    weight: 5,
    arbitrary: fc.record({ client, do: fc.constant("write" as const), path, content, overwrite: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ client, do: fc.constant("createDirectory" as const), path }) },
  { weight: 3, arbitrary: fc.record({ client, do: fc.constant("delete" as const), path, recursive: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      client,
      do: fc.constantFrom("rename", "copy"),
      path,
      to: path,
      overwrite: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      client,
      do: fc.constant("burst" as const),
      path,
      contents: fc.array(content, { minLength: 2, maxLength: 4 }),
    }),
  },
);

/** The first steps of every run: an initial tree. */
export const beginning: readonly Step[] = [
  { client: 0, do: "createDirectory", path: "d" },
  { client: 1, do: "createDirectory", path: "f" },
  { client: 0, do: "write", path: "a.txt", content: 0, overwrite: true },
  { client: 1, do: "write", path: "n.ipynb", content: 0, overwrite: true },
];
