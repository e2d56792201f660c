// What language features give the editor, as plain values.
import type { Position, Range } from "./edits.ts";

export const CompletionItemKind = {
  Function: 2,
  Variable: 5,
  Class: 6,
  Module: 8,
  Property: 9,
  Keyword: 13,
  File: 16,
  Folder: 18,
  Constant: 20,
} as const;
export const SymbolKind = { Class: 4, Method: 5, Field: 7, Function: 11, Variable: 12 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1 } as const;

export class CompletionItem {
  readonly label: string;
  readonly kind: number;
  range: Range | undefined;
  sortText: string | undefined;
  documentation: { readonly value: string } | undefined;
  command: unknown;
  constructor(label: string, kind: number) {
    this.label = label;
    this.kind = kind;
  }
}
export class CompletionList {
  readonly items: readonly CompletionItem[];
  readonly isIncomplete: boolean;
  constructor(items: readonly CompletionItem[], isIncomplete: boolean) {
    this.items = items;
    this.isIncomplete = isIncomplete;
  }
}
export class Location {
  readonly uri: { toString(): string };
  readonly range: Range;
  constructor(uri: { toString(): string }, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}
export class DocumentSymbol {
  readonly name: string;
  readonly kind: number;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly children: DocumentSymbol[] = [];
  constructor(name: string, _detail: string, kind: number, range: Range, selectionRange: Range) {
    this.name = name;
    this.kind = kind;
    this.range = range;
    this.selectionRange = selectionRange;
  }
}
export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  source: string | undefined;
  code: string | undefined;
  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

/** The diagnostics of all collections, by address. */
export const diagnostics = new Map<string, readonly Diagnostic[]>();

export const languages = {
  createDiagnosticCollection: () => ({
    set: (uri: { toString(): string }, items: readonly Diagnostic[]) => void diagnostics.set(uri.toString(), items),
    delete: (uri: { toString(): string }) => void diagnostics.delete(uri.toString()),
    dispose: () => diagnostics.clear(),
  }),
};

/** A text in an editor, or a cell, whose text a test can change. */
export class StandInText {
  readonly uri: { readonly scheme: string; readonly authority: string; readonly path: string; toString(): string };
  readonly languageId: string;
  version = 1;
  isClosed = false;
  text: string;
  constructor(uri: StandInText["uri"], text: string, languageId = "python") {
    this.uri = uri;
    this.text = text;
    this.languageId = languageId;
  }
  get lineCount(): number {
    return this.text.split("\n").length;
  }
  lineAt(line: number): { readonly text: string } {
    return { text: this.text.split("\n")[line] ?? "" };
  }
  /** The whole text, or the part of it in a range within a line. */
  getText(range?: { readonly start: Position; readonly end: Position }): string {
    return range === undefined
      ? this.text
      : this.lineAt(range.start.line).text.slice(range.start.character, range.end.character);
  }
  change(text: string): void {
    this.text = text;
    this.version += 1;
  }
}
