import type { Page } from "playwright-core";
import { SideBar } from "./side-bar.ts";
import { Tree, type TreeRow } from "./tree.ts";
import { waitFor } from "./waiting.ts";

/** The Explorer: the folders and files of the window. */
export class Explorer {
  readonly page: Page;
  readonly tree: Tree;

  constructor(page: Page) {
    this.page = page;
    this.tree = new Tree(page, page.locator(".explorer-folders-view"), "the Explorer");
  }

  async open(): Promise<void> {
    await new SideBar(this.page).open("Explorer");
    await waitFor("the Explorer", () => this.tree.container.isVisible());
  }

  /** Expands the folders of a path (`data/reports/may.csv`) and returns the last row. */
  async reveal(path: string): Promise<TreeRow> {
    await this.open();
    const [first = "", ...below] = path.split("/");
    return this.tree.reveal(first, ...below);
  }

  /** Opens a file by its path, with a double-click so that it isn't a preview. */
  async openFile(path: string): Promise<void> {
    await (await this.reveal(path)).doubleClick();
  }

  /** Names at one level below a folder's row, or at the top. */
  async names(): Promise<string[]> {
    return this.tree.labels();
  }

  /** Renames with the context menu. Doesn't wait for the result, because the name may be refused. */
  async rename(path: string, name: string): Promise<void> {
    await (await this.reveal(path)).chooseFromContextMenu("Rename...");
    await this.#typeName(name);
  }

  /** Creates a file or folder with the context menu of a folder. Doesn't wait for the result, either. */
  async create(kind: "file" | "folder", folder: string, name: string): Promise<void> {
    await (await this.reveal(folder)).chooseFromContextMenu(kind === "file" ? "New File..." : "New Folder...");
    await this.#typeName(name);
  }

  /** Deletes with the context menu; the editor asks in a dialog. */
  async delete(path: string): Promise<void> {
    const menu = await (await this.reveal(path)).openContextMenu();
    const titles = await menu.titles();
    await menu.choose(titles.includes("Delete Permanently") ? "Delete Permanently" : "Delete");
  }

  async #typeName(name: string): Promise<void> {
    const box = this.tree.container.locator(".explorer-item-edited input");
    await waitFor("the Explorer's name box", () => box.isVisible());
    await box.fill(name);
    await box.press("Enter");
    await waitFor("the Explorer's name box to close", async () => !(await box.isVisible()));
  }
}
