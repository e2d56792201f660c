import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contentWith, type Edit, edited, isNotebook, markOf, marksIn, pairedContent } from "./contents.ts";
import { contentAt, isAt, kindAt, marksBelow } from "./disk.ts";
import { type Ledger, without } from "./ledger.ts";

/**
 * What the server changes in what it is given: it ends texts with a line break, gives cells other ids, or writes a paired
 * script with each notebook, and a notebook with each script.
 */
export type Rewriting = "nothing" | "final newline" | "cell ids" | "pair";

const pair: Readonly<Record<string, string>> = { "n.ipynb": "n.py", "link.ipynb": "n.py", "n.py": "n.ipynb" };

/** The folder of a sequence on the server's disk, in which colleagues work, too. Paths are relative to it. */
export class SharedFolder {
  readonly rewriting: Rewriting;
  readonly #disk: string;
  readonly #ledger: Ledger;
  #marks = 0;

  constructor(disk: string, rewriting: Rewriting, ledger: Ledger) {
    this.#disk = disk;
    this.rewriting = rewriting;
    this.#ledger = ledger;
  }

  /** Creates the first files, and links to them. */
  fill(): void {
    mkdirSync(join(this.#disk, "d"), { recursive: true });
    for (const path of ["a.txt", "d/a.txt", "n.ipynb"]) this.#put(path, 3);
    if (this.rewriting !== "pair") this.#put("n.py", 1);
    symlinkSync("a.txt", join(this.#disk, "link.txt"));
    symlinkSync("n.ipynb", join(this.#disk, "link.ipynb"));
    symlinkSync("d", join(this.#disk, "again"));
    // A folder with a link to one above it is never deleted.
    if (this.rewriting !== "nothing") symlinkSync("..", join(this.#disk, "d", "up"));
    this.writePair("n.ipynb");
  }

  /** A mark that was not used before. */
  newMark(): string {
    this.#marks += 1;
    return markOf(this.#marks);
  }

  /** The marks of all files, or of those at or below a path. */
  marks(path = ""): ReadonlySet<string> {
    return marksBelow(join(this.#disk, path));
  }

  content(path: string): string | undefined {
    return contentAt(join(this.#disk, path));
  }

  /** False if a folder or a link to nothing has that path, or if there is no folder above it. */
  canHaveContent(path: string): boolean {
    const place = join(this.#disk, path);
    return kindAt(dirname(place)) === "folder" && (kindAt(place) === "file" || !isAt(place));
  }

  /** True if a change of the file also changes the other file of its pair. */
  isPaired(path: string): boolean {
    return this.rewriting === "pair" && pair[path] !== undefined;
  }

  /** Writes the other file of a pair after one of them was written. */
  writePair(path: string): void {
    const other = this.isPaired(path) ? pair[path] : undefined;
    if (other === undefined || this.content(path) === undefined) return;
    writeFileSync(join(this.#disk, other), pairedContent(path, other, readFileSync(join(this.#disk, path), "utf8")));
  }

  colleagueChanges(path: string, edit: Edit): void {
    if (!this.canHaveContent(path)) return;
    const before = this.content(path) ?? contentWith(path, []);
    const after = edited(path, before, edit, this.newMark());
    this.#ledger.remove(without(marksIn(before), marksIn(after)));
    this.#ledger.write(marksIn(after));
    writeFileSync(join(this.#disk, path), after);
    this.writePair(path);
  }

  colleagueDeletes(path: string): void {
    if (this.isPaired(path) || this.content(path) === undefined) return;
    this.#ledger.remove(this.marks(path));
    rmSync(join(this.#disk, path), { force: true });
  }

  colleagueRenames(path: string, to: string): void {
    const isPossible = path !== to && isNotebook(path) === isNotebook(to) && !this.isPaired(path) && !this.isPaired(to);
    if (!isPossible || this.content(path) === undefined || !this.canHaveContent(to)) return;
    this.#ledger.remove(without(this.marks(to), this.marks(path)));
    renameSync(join(this.#disk, path), join(this.#disk, to));
  }

  #put(path: string, count: number): void {
    const marks = Array.from({ length: count }, () => this.newMark());
    writeFileSync(join(this.#disk, path), contentWith(path, marks));
    this.#ledger.write(marks);
  }
}
