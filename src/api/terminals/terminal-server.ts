import type { CallOptions, ContentClient } from "../client/client.ts";
import { causeOf, hasStatus } from "../http/errors.ts";
import { phrase } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";
import { createTerminal, deleteTerminal, listTerminals, type TerminalModel } from "./operations.ts";

/** A terminal that runs on a content server. */
export interface RunningTerminal {
  /** As the server names it, such as `1`. Can be used in a path. */
  readonly name: string;
  /** ISO 8601; undefined if the server doesn't report it. */
  readonly lastActivity: string | undefined;
}

/** Maximum number of terminals that are read from a list. */
const maxTerminals = 1000;
/** The names that Jupyter Server routes to a terminal. */
const nameForm = /^\w{1,100}$/u;

/** The terminals of one content server. Every method throws a PlatformError if the server refuses. */
export class TerminalServer {
  readonly #client: () => Promise<Pick<ContentClient, "call">>;

  /** `client` is called for each request, because the server's address and the token can change. */
  constructor(client: () => Promise<Pick<ContentClient, "call">>) {
    this.#client = client;
  }

  /** The running terminals; undefined if the server has no terminals at all. */
  async list(options: CallOptions = {}): Promise<readonly RunningTerminal[] | undefined> {
    const models = await unlessUnknown((await this.#client()).call(listTerminals, { no_track_activity: 1 }, options));
    return models
      ?.slice(0, maxTerminals)
      .filter(({ name }) => nameForm.test(name))
      .map(runningTerminal);
  }

  /**
   * Starts a terminal in a folder, if the server supports that; the empty path is the server's root. Resolves with
   * undefined if the server has no terminals at all.
   */
  async start(folder: string, options: CallOptions = {}): Promise<RunningTerminal | undefined> {
    const body = folder === "" ? {} : { cwd: folder };
    const model = await unlessUnknown((await this.#client()).call(createTerminal, { body }, options));
    if (model !== undefined && !nameForm.test(model.name)) {
      throw new WordedError(phrase`Can't open the terminal: the server gave it an invalid name.`);
    }
    return model === undefined ? undefined : runningTerminal(model);
  }

  /** Ends a terminal and the programs that run in it. Succeeds if it no longer exists. */
  async end(name: string): Promise<void> {
    try {
      await (await this.#client()).call(deleteTerminal, { name });
    } catch (error) {
      if (!hasStatus(error, 404)) {
        throw error;
      }
    }
  }
}

function runningTerminal({ name, last_activity }: TerminalModel): RunningTerminal {
  return { name, lastActivity: last_activity ?? undefined };
}

/** The response, or undefined for 404 and 405, with which servers without terminals respond. */
async function unlessUnknown<Response>(call: Promise<Response>): Promise<Response | undefined> {
  try {
    return await call;
  } catch (error) {
    const cause = causeOf(error);
    if ((cause?.type === "status" || cause?.type === "notJson") && (cause.status === 404 || cause.status === 405)) {
      return undefined;
    }
    throw error;
  }
}
