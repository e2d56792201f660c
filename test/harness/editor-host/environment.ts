/** What `test/editor/environment.ts` prepares outside the extension host before the editor layer runs. */
export interface EditorEnvironment {
  /** Environment variables for the tests and the extension in `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of the window: an absolute path or a URI. */
  readonly folder?: string;
  /** Set for more than one window: each run takes its own part of `test/editor/`. Default: one run with everything. */
  readonly runs?: readonly EditorRun[];
  stop(): Promise<void>;
}

/** One start of the editor. */
export interface EditorRun {
  /** Shown in the heading. */
  readonly name: string;
  /** The tests below `test/editor/DIRECTORY/`. Default: all tests that no other run names. */
  readonly directory?: string;
  readonly folder?: string;
  /** The window asks for trust as a new editor does, and folders open in Restricted Mode. */
  readonly restrictedMode?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}
