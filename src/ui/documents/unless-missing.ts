import * as vscode from "vscode";

/** What the editor's file system returns; undefined if there is no such file or folder. Throws any other error. */
export async function unlessMissing<Value>(work: PromiseLike<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
      return undefined;
    }
    throw error;
  }
}
