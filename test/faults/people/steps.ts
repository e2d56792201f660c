import fc from "fast-check";
import type { EditorKind } from "../person.ts";
import type { Edit } from "./contents.ts";
import type { Rewriting } from "./folder.ts";
import type { Fault } from "./server.ts";

/** The files of a sequence. `link.txt`, `link.ipynb`, and `again` are links to `a.txt`, `n.ipynb`, and `d`; `n.py` can be paired with `n.ipynb`. */
const files = ["a.txt", "n.ipynb", "n.py", "d/a.txt", "link.txt", "again/a.txt", "d/b.txt", "link.ipynb"] as const;

/** An open editor of one of two windows. `nth`: modulo the number of open ones. A negative one counts from the last. */
export interface Place {
  readonly window: 0 | 1;
  readonly nth: number;
}

/** A change by someone else. With `nth`, of a file that is open in that window or in either one, if there is one. */
export interface ColleagueChange {
  readonly path: string;
  readonly nth: number | undefined;
  readonly window?: 0 | 1;
  readonly edit: Edit;
}

export type Step =
  /** `isBeside`: the file that the other window has opened last, in the same editor. */
  | {
      readonly do: "open";
      readonly window: 0 | 1;
      readonly path: string;
      readonly kind: EditorKind;
      readonly isBeside: boolean;
    }
  | ({ readonly do: "undo" | "save" | "close" | "revert" | "merge" | "overwrite" } & Place)
  | ({ readonly do: "type"; readonly edit: Edit } & Place)
  /** Someone else changes the file. */
  | ({ readonly do: "colleague" } & ColleagueChange)
  | { readonly do: "colleagueDeletes"; readonly path: string }
  | { readonly do: "colleagueRenames"; readonly path: string; readonly to: string }
  /** The window ends, someone else may change a file, and the window opens again with its unsaved changes. */
  | {
      readonly do: "reload";
      readonly window: 0 | 1;
      readonly isKilled: boolean;
      readonly hasTabs: boolean;
      readonly meanwhile: ColleagueChange | undefined;
    }
  | { readonly do: "fillDisk" | "freeDisk" }
  | { readonly do: "rest" }
  | { readonly do: "fault"; readonly window: 0 | 1; readonly fault: Fault }
  | { readonly do: "rename" | "copy"; readonly window: 0 | 1; readonly path: string; readonly to: string }
  | { readonly do: "delete"; readonly window: 0 | 1; readonly path: string };

/** What two people do with a server. */
export interface Sequence {
  readonly rewriting: Rewriting;
  readonly steps: readonly Step[];
}

const window = fc.constantFrom<0 | 1>(0, 0, 1);
/** Most steps are about few files, so that they meet. */
const path = fc.constantFrom("a.txt", "n.ipynb", "a.txt", "n.ipynb", ...files);
const kind = fc.constantFrom<EditorKind>("notebook", "notebook", "text");
const edit = fc.record({
  kind: fc.constantFrom<Edit["kind"]>("insert", "insert", "append", "replace", "remove"),
  at: fc.nat({ max: 5 }),
});
const nth = fc.nat({ max: 5 });
const change = { path, nth: fc.option(nth, { nil: undefined, freq: 3 }), edit };
const anyPath = fc.constantFrom(...files, "d", "again", "e");

const step: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rest" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("open" as const), window, path, kind, isBeside: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("type" as const), window, nth, edit }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("save" as const), window, nth }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom("undo", "merge", "overwrite", "revert"), window, nth }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), window, nth }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("colleague" as const), ...change }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("colleagueDeletes" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("colleagueRenames" as const), path, to: path }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("reload" as const),
      window,
      isKilled: fc.boolean(),
      hasTabs: fc.boolean(),
      meanwhile: fc.option(fc.record(change), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("fillDisk", "freeDisk") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fault" as const),
      window,
      fault: fc.constantFrom<Fault>("413", "507", "unsent", "lost response", "offline afterwards"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("rename", "copy"), window, path: anyPath, to: anyPath }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), window, path: anyPath }) },
);

/** A person has a file in two kinds of editors, and loads someone else's change in one of them. */
const twoEditors: fc.Arbitrary<readonly Step[]> = fc
  .record({
    window,
    path: fc.constantFrom("n.ipynb", "link.ipynb"),
    isTextFirst: fc.boolean(),
    isLoadedAfter: fc.boolean(),
    edit,
    theirs: edit,
  })
  .map(({ window, path, isTextFirst, isLoadedAfter, edit, theirs }) => {
    const open = (kind: EditorKind): Step => ({ do: "open", window, path, kind, isBeside: false });
    const [first, second] = isTextFirst ? (["text", "notebook"] as const) : (["notebook", "text"] as const);
    const colleague: Step = { do: "colleague", path, nth: undefined, edit: theirs };
    return [
      ...(isLoadedAfter ? [open(first), open(second)] : [open(first)]),
      { do: "type", window, nth: isLoadedAfter ? -2 : -1, edit },
      colleague,
      isLoadedAfter ? { do: "revert", window, nth: -1 } : open(second),
      { do: "save", window, nth: -2 },
    ];
  });

/** A person takes someone else's change into an editor, returns to an earlier content, and saves that. */
const goingBack: fc.Arbitrary<readonly Step[]> = fc
  .record({
    window,
    nth,
    path,
    edit,
    take: fc.constantFrom("revert", "revert", "merge"),
    undone: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ window, nth, path, edit, take, undone }) => [
    { do: "colleague", window, nth, path, edit },
    { do: take, window, nth },
    ...Array.from({ length: undone }, (): Step => ({ do: "undo", window, nth })),
    { do: "save", window, nth },
  ]);

/** Two people make the same change. One of them also makes another one, merges, and returns to an earlier content. */
const sameChange: fc.Arbitrary<readonly Step[]> = fc
  .record({
    window,
    path: fc.constantFrom("a.txt", "n.ipynb", "n.ipynb"),
    at: fc.nat({ max: 2 }),
    edit: fc.option(edit),
    isSaved: fc.boolean(),
    undone: fc.integer({ min: 0, max: 3 }),
    last: fc.option(edit),
  })
  .map(({ window, path, at, edit, isSaved, undone, last }) => {
    const place = { window, nth: -1 };
    const removal: Edit = { kind: "remove", at };
    return [
      { do: "open", window, path, kind: "notebook", isBeside: false },
      { do: "type", ...place, edit: removal },
      { do: "colleague", path, nth: undefined, edit: removal },
      ...(edit === null ? [] : [{ do: "type" as const, ...place, edit }]),
      { do: "save", ...place },
      { do: "merge", ...place },
      ...(isSaved ? [{ do: "save" as const, ...place }] : []),
      ...Array.from({ length: undone }, (): Step => ({ do: "undo", ...place })),
      ...(last === null ? [] : [{ do: "type" as const, ...place, edit: last }]),
      { do: "save", ...place },
    ];
  });

const steps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 40, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: twoEditors },
  { weight: 1, arbitrary: goingBack },
  { weight: 1, arbitrary: sameChange },
);

const rewriting = fc.constantFrom<Rewriting>("nothing", "nothing", "final newline", "cell ids", "pair");

export function sequence(length: number): fc.Arbitrary<Sequence> {
  return fc.record({
    rewriting,
    steps: fc
      .array(steps, { minLength: length, maxLength: length, size: "max" })
      .map((all) => all.flat().slice(0, length)),
  });
}
