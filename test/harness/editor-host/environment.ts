/** What `test/editor/environment.ts` prepares outside of the extension host before the editor layer runs. */
export interface EditorEnvironment {
  /** Variables that the tests and the extension find in `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of the window: an absolute path or a URI. */
  readonly folder?: string;
  /** More than one window: each run takes its own part of `test/editor/`. Default: one run with everything. */
  readonly runs?: readonly EditorRun[];
  stop(): Promise<void>;
}

/** One start of the editor. */
export interface EditorRun {
  /** Shown in the heading. */
  readonly name: string;
  /** The tests below `test/editor/DIRECTORY/`. Left out: all tests that no other run names. */
  readonly directory?: string;
  readonly folder?: string;
  /** The window asks for trust as a new editor does: folders open in Restricted Mode. */
  readonly restrictedMode?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}
