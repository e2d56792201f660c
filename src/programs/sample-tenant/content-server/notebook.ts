import { createHash, randomUUID } from "node:crypto";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, numberOf, parseJson, sortedJson } from "./json.ts";

/** A notebook. If it was read from a file, multi-line strings are joined, as in responses. */
export interface Notebook {
  readonly content: JsonObject;
  readonly cells: readonly JsonObject[];
  readonly format: number;
  /** The validation error of a notebook that is saved anyway. */
  readonly problem: string | undefined;
}

/** The text is not a notebook. The message explains why. */
export class NotebookError extends Error {}

const lineBreaks = String.fromCodePoint(0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029);
const lines = new RegExp(`[^${lineBreaks}]*(?:\\r\\n|[${lineBreaks}])|[^${lineBreaks}]+`, "g");

/** Parses a notebook's file. Throws a NotebookError for text that isn't a notebook. */
export function parseNotebook(text: string): Notebook {
  let content: JsonValue;
  try {
    content = parseJson(text);
  } catch {
    const start = text.length > 80 ? `${text.slice(0, 77)}...` : text;
    throw new NotebookError(`NotJSONError("Notebook does not appear to be JSON: ${JSON.stringify(start)}")`);
  }
  const notebook = notebookFrom(content);
  notebook.cells.forEach(joinCell);
  return notebook;
}

/**
 * Reads a notebook from a request body, with its strings unchanged. Throws a NotebookError for a value that isn't a
 * notebook.
 */
export function notebookFrom(content: JsonValue): Notebook {
  if (!isJsonObject(content)) {
    throw new NotebookError("The notebook is not an object");
  }
  const format = numberOf(content.nbformat);
  if (format === undefined) {
    throw new NotebookError("nbformat");
  }
  if (format !== 4) {
    throw new NotebookError(`No module named v${format}`);
  }
  const { cells, metadata } = content;
  if (!isJsonObject(metadata)) {
    throw new NotebookError("'metadata'");
  }
  if (!isJsonArray(cells)) {
    throw new NotebookError("'cells'");
  }
  const checked = cells.map((cell) => {
    if (!isJsonObject(cell) || typeof cell.cell_type !== "string") {
      throw new NotebookError("'cell_type'");
    }
    if (!isJsonObject(cell.metadata)) {
      throw new NotebookError("'metadata'");
    }
    return cell;
  });
  for (const key of ["orig_nbformat", "orig_nbformat_minor", "signature"]) {
    delete metadata[key];
  }
  const minor = numberOf(content.nbformat_minor);
  if (minor !== undefined && minor >= 5) {
    giveIdentifiers(checked);
  }
  return { content, cells: checked, format, problem: problemOf(checked, minor) };
}

/**
 * The text of a notebook's file: one space of indentation, sorted keys, multi-line strings as lists, no transient
 * values.
 */
export function notebookText(notebook: Notebook): string {
  const cells = notebook.cells.map((cell) => splitCell(withoutTrust(cell)));
  return `${sortedJson({ ...notebook.content, cells })}\n`;
}

/** A new notebook without cells. */
export function emptyNotebook(): Notebook {
  return notebookFrom({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

/** The notebook for a response. Marks every code cell whose outputs are trusted. */
export function sentNotebook(notebook: Notebook, trusted: boolean): JsonObject {
  const cells = notebook.cells.map((cell) => {
    const bare = withoutTrust(cell);
    return bare.cell_type === "code" && isJsonObject(bare.metadata)
      ? { ...bare, metadata: { ...bare.metadata, trusted } }
      : bare;
  });
  return { ...notebook.content, cells };
}

/** True if every code cell is marked as trusted or has no potentially harmful output. */
export function isHarmless(notebook: Notebook): boolean {
  return notebook.cells
    .filter((cell) => cell.cell_type === "code")
    .every((cell) => {
      if (isJsonObject(cell.metadata) && cell.metadata.trusted === true) {
        return true;
      }
      const outputs = isJsonArray(cell.outputs) ? cell.outputs.filter(isJsonObject) : [];
      return !outputs.some((output) => isRich(output) && output.data !== undefined);
    });
}

/** A fingerprint that identifies a notebook when it is read again. */
export function fingerprintOf(notebook: Notebook): string {
  return createHash("sha256").update(notebookText(notebook)).digest("hex");
}

function isRich(output: JsonObject): boolean {
  return output.output_type === "execute_result" || output.output_type === "display_data";
}

function withoutTrust(cell: JsonObject): JsonObject {
  if (!isJsonObject(cell.metadata) || cell.metadata.trusted === undefined) {
    return cell;
  }
  const { trusted: _, ...metadata } = cell.metadata;
  return { ...cell, metadata };
}

function joinText(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) && value.every((line) => typeof line === "string") ? value.join("") : value;
}

function splitText(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" ? (value.match(lines) ?? []) : value;
}

function isJsonType(type: string): boolean {
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"));
}

function isTextType(type: string): boolean {
  return type.startsWith("text/") || type === "application/javascript" || type === "image/svg+xml";
}

function changeMembers(
  object: JsonObject,
  change: (value: JsonValue | undefined) => JsonValue | undefined,
  concerns: (key: string) => boolean,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, concerns(key) ? (change(value) ?? value) : value]),
  );
}

function joinCell(cell: JsonObject): void {
  const joined = changeCell(
    cell,
    joinText,
    (type) => !isJsonType(type),
    (output) => !isRich(output),
  );
  Object.assign(cell, joined);
}

function splitCell(cell: JsonObject): JsonObject {
  return changeCell(cell, splitText, isTextType, (output) => output.output_type === "stream");
}

/** Changes the source and the attachments of a cell, and the outputs of a code cell. */
function changeCell(
  cell: JsonObject,
  change: (value: JsonValue | undefined) => JsonValue | undefined,
  concernsType: (type: string) => boolean,
  concernsText: (output: JsonObject) => boolean,
): JsonObject {
  const changed = changeMembers(cell, change, (key) => key === "source");
  if (isJsonObject(cell.attachments)) {
    changed.attachments = Object.fromEntries(
      Object.entries(cell.attachments).map(([name, bundle]) => [
        name,
        isJsonObject(bundle) ? changeMembers(bundle, change, concernsType) : bundle,
      ]),
    );
  }
  if (cell.cell_type === "code" && isJsonArray(cell.outputs)) {
    changed.outputs = cell.outputs.map((output) => {
      if (!isJsonObject(output)) {
        return output;
      }
      if (isRich(output)) {
        return isJsonObject(output.data)
          ? { ...output, data: changeMembers(output.data, change, concernsType) }
          : output;
      }
      return concernsText(output) ? changeMembers(output, change, (key) => key === "text") : output;
    });
  }
  return changed;
}

function giveIdentifiers(cells: readonly JsonObject[]): void {
  const seen = new Set<JsonValue>();
  for (const cell of cells) {
    if (cell.id === undefined || seen.has(cell.id)) {
      cell.id = randomUUID().slice(0, 8);
    }
    seen.add(cell.id);
  }
}

function problemOf(cells: readonly JsonObject[], minor: number | undefined): string | undefined {
  if (minor === undefined) {
    return "Notebook validation failed: 'nbformat_minor' is a required property";
  }
  for (const cell of cells) {
    const problem = cellProblem(cell, minor);
    if (problem !== undefined) {
      return `Notebook validation failed: ${problem}`;
    }
  }
  return undefined;
}

function cellProblem(cell: JsonObject, minor: number): string | undefined {
  if (!["code", "markdown", "raw"].includes(String(cell.cell_type))) {
    return `${JSON.stringify(cell.cell_type)} is not a cell type`;
  }
  if (minor < 5 && cell.id !== undefined) {
    return "Additional properties are not allowed ('id' was unexpected)";
  }
  if (minor >= 5 && (typeof cell.id !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(cell.id))) {
    return `${JSON.stringify(cell.id)} does not match '^[a-zA-Z0-9-_]+$'`;
  }
  const required = cell.cell_type === "code" ? ["source", "outputs", "execution_count"] : ["source"];
  const missing = required.find((key) => cell[key] === undefined);
  return missing === undefined ? undefined : `'${missing}' is a required property`;
}
