import * as z from "zod/mini";
import { contentReadErrors } from "../catalogue/content-errors.ts";
import { nameOf } from "../catalogue/content-path.ts";
import { defineOperation } from "../catalogue/operation.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { isAttachment } from "../client/response-reader.ts";
import { PlatformError } from "../http/errors.ts";
import { type Phrase, phrase, type Text } from "../phrase.ts";
import { decodeEntities, textBetween } from "../server-page.ts";
import { shortened } from "../text.ts";
import { WordedError } from "../worded-error.ts";

// Notebooks in other formats, as Jupyter Server's nbconvert makes them. The API description does not mention it, so these
// are not operations of the catalog. A server without nbconvert responds with 404.

/** Milliseconds without a byte. The server sends nothing before it has converted the whole notebook. */
const conversionTimeoutMs = 600_000;
/** Maximum length of a reason from the server, in characters. */
const maxReasonLength = 500;
const megabyte = 1024 * 1024;

const convertNotebook = defineOperation({
  id: "contents.export",
  section: "beyond",
  summary: "Read a notebook in another format",
  method: "GET",
  path: "nbconvert/{format}/{path*}",
  pathParameters: { format: z.string().check(z.regex(/^\w+$/)), path: z.string().check(z.minLength(1)) },
  // Without it, nothing tells an exported page from a sign-in page.
  queryParameters: { download: z.literal("true") },
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "read",
  failure: "Can't export {path}",
  entity: "{path}",
  errors: contentReadErrors,
  responseFormat: "bytes",
  transfer: true,
  timeLimitMs: conversionTimeoutMs,
});

const listExporters = defineOperation({
  id: "contents.exporters.list",
  section: "beyond",
  summary: "List the formats that notebooks can be exported to",
  method: "GET",
  path: "api/nbconvert",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: z.record(z.string(), z.unknown()),
  credential: "notebook",
  effect: "read",
  failure: "Can't list the export formats",
  entity: "nbconvert",
  errors: contentReadErrors,
});

/** Names of nbconvert's exporters. `script` uses the notebook's own language. */
export type ExportFormat = "html" | "python" | "script" | "markdown" | "pdf" | "slides";

const extensions: Readonly<Record<ExportFormat, string>> = {
  html: ".html",
  python: ".py",
  script: ".txt",
  markdown: ".md",
  pdf: ".pdf",
  slides: ".slides.html",
};

/** An exported notebook. */
export interface ExportedNotebook {
  readonly bytes: Uint8Array;
  /** With the dot. `.zip` if the format has files of its own for pictures. */
  readonly extension: string;
}

/**
 * Exports the saved version of a notebook. Throws a WordedError if the result has more than `maxBytes`, and a
 * PlatformError that names what the server lacks.
 */
export async function exportNotebook(
  client: ContentClient,
  { path, format }: { readonly path: string; readonly format: ExportFormat },
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<ExportedNotebook> {
  const tooLarge = new AbortController();
  let headers: Readonly<Record<string, string>> = {};
  const options: CallOptions = {
    signal: AbortSignal.any([signal, tooLarge.signal]),
    onReceived: (bytes) => (bytes > maxBytes ? tooLarge.abort() : undefined),
    onResponse: (response) => {
      ({ headers } = response);
    },
  };
  try {
    const bytes = await client.call(convertNotebook, { format, path, download: "true" }, options);
    if (!(bytes instanceof Uint8Array) || !isAttachment({ headers })) {
      throw new WordedError(phrase`Can't export ${nameOf(path)}: the server returned a web page instead of a file.`);
    }
    return { bytes, extension: extensionOf(format, headers) };
  } catch (error) {
    if (tooLarge.signal.aborted) {
      const limit = Math.round(maxBytes / megabyte);
      throw new WordedError(phrase`Can't export ${nameOf(path)}: the result has more than ${limit} MB.`);
    }
    throw error instanceof PlatformError ? await explained(client, error, format, signal) : error;
  }
}

function extensionOf(format: ExportFormat, headers: Readonly<Record<string, string>>): string {
  if (/^application\/zip\b/i.test(headers["content-type"] ?? "")) {
    return ".zip";
  }
  const [, named] = /(\.\w{1,10})"?\s*$/.exec((headers["content-disposition"] ?? "").slice(-100)) ?? [];
  return format === "script" && named !== undefined ? named : extensions[format];
}

/** Adds to an error what the server lacks. */
async function explained(
  client: ContentClient,
  error: PlatformError,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<PlatformError> {
  const { response } = error;
  if (response === undefined || ![404, 405, 500, 501].includes(response.status)) {
    return error;
  }
  const reason = conversionProblem(response.body);
  if (reason !== undefined) {
    return error.with(reason);
  }
  const exporters = await exportersOf(client, signal);
  if (exporters === "none") {
    return error.with({
      reason: phrase`the content server doesn't have nbconvert, which exports notebooks`,
      remedy: phrase`Ask the administrator of the platform to install it.`,
    });
  }
  return exporters === "unknown" || exporters.has(format)
    ? error
    : error.with({
        reason: phrase`nbconvert on the content server doesn't have the format ${format}`,
        remedy: phrase`Choose another format.`,
      });
}

async function exportersOf(
  client: ContentClient,
  signal: AbortSignal,
): Promise<"none" | "unknown" | ReadonlySet<string>> {
  try {
    return new Set(Object.keys(await client.call(listExporters, {}, { signal })));
  } catch (error) {
    const status = error instanceof PlatformError ? (error.status ?? 0) : 0;
    return [404, 405, 501].includes(status) ? "none" : "unknown";
  }
}

/** Programs that nbconvert runs, and how it says that one is missing. */
const missingPrograms: readonly (readonly [pattern: RegExp, program: string])[] = [
  [/pandoc wasn't found/i, "Pandoc"],
  [/(xelatex|pdflatex|lualatex) not found/i, "LaTeX (xelatex)"],
];

/** What nbconvert says in the web page of an error; undefined if it says nothing. */
function conversionProblem(page: string): { readonly reason: Phrase; readonly remedy: Text } | undefined {
  const said = textBetween(page, '<pre class="traceback">', "</pre>");
  const text = said === undefined ? undefined : decodeEntities(said).trim();
  const failure = text === undefined ? undefined : /^(?:nbconvert failed|Could not construct Exporter): /.exec(text);
  if (text === undefined || !failure) {
    return undefined;
  }
  const [, program] = missingPrograms.find(([pattern]) => pattern.test(text)) ?? [];
  if (program !== undefined) {
    return {
      reason: phrase`the server doesn't have ${program}, which this format needs`,
      remedy: phrase`Install it on the server, or choose another format.`,
    };
  }
  const [, missingFile] = /LaTeX Error: File `([^`'\n]{1,100})' not found/.exec(text) ?? [];
  if (missingFile !== undefined) {
    return {
      reason: phrase`LaTeX on the server doesn't have ${missingFile}, which this format needs`,
      remedy: phrase`Install the package with it on the server, or choose another format.`,
    };
  }
  const lines = shortened(text.slice(failure[0].length).replace(/\s+/g, " "), maxReasonLength);
  return {
    reason: phrase`nbconvert on the server failed: ${lines.replace(/\.$/, "")}`,
    remedy: phrase`Choose another format, or check the notebook.`,
  };
}
