/** What `test/editor/environment.ts` prepares outside the extension host before the editor layer runs. */
export interface EditorEnvironment {
  /** Environment variables for the tests and the extension in `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of the window: an absolute path or a URI. */
  readonly folder?: string;
  stop(): Promise<void>;
}
