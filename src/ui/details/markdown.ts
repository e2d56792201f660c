import { displayedText } from "../../api/displayed-text.ts";
import { maxBacktickRun } from "../../api/text.ts";
import type { PlatformResource } from "../resources/resource.ts";
import type { DetailSection, Details, DetailValue } from "./details.ts";

/** The services that the Markdown text needs. */
export interface MarkdownParts {
  /** Undefined for a resource that only has an id, which is one of the lines. */
  readonly name: string | undefined;
  readonly translate: (text: string, ...values: (string | number)[]) => string;
  /** A time in full with its zone. */
  readonly date: (value: string | number) => string | undefined;
  /** The address of a resource's details. */
  readonly linkTo: (resource: PlatformResource) => string;
}

/** Formats details as a Markdown document. Text from the platform is escaped, because it may contain Markdown. */
export function detailsMarkdown(details: Details, parts: MarkdownParts): string {
  const { kind, description = "", lines, sections } = details;
  const facts = lines.flatMap(([name, value]) => {
    const text = value === undefined ? undefined : valueText(value, parts);
    return text === undefined || text === "" ? [] : [`| ${escaped(name)} | ${text} |`];
  });
  return [
    ...(parts.name === undefined ? [`# ${escaped(kind)}`] : [`# ${escaped(parts.name)}`, `*${escaped(kind)}*`]),
    ...(description.trim() === "" ? [] : [escaped(description.trim())]),
    ...(facts.length === 0 ? [] : [[factsHeader(parts), "|:--|:--|", ...facts].join("\n")]),
    ...sections.map((section) => sectionText(section, parts)),
    "",
  ].join("\n\n");
}

/** Screen readers would announce a header without text as an empty cell. */
function factsHeader({ translate }: MarkdownParts): string {
  return `| ${escaped(translate("Property"))} | ${escaped(translate("Value"))} |`;
}

function sectionText(section: DetailSection, parts: MarkdownParts): string {
  const heading = `## ${escaped(section.title)}`;
  switch (section.type) {
    case "text":
      return `${heading}\n\n${escaped(section.text)}`;
    case "code":
      return `${heading}\n\n${fenced(section.text, section.language)}`;
    case "table": {
      const remark = section.remark === undefined ? "" : `\n\n${escaped(section.remark)}`;
      if (section.rows.length === 0) {
        return `${heading}\n\n${escaped(section.empty)}${remark}`;
      }
      const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
      const rows = section.rows.map((row) =>
        line(row.map((value) => (value === undefined ? "" : (valueText(value, parts) ?? "")))),
      );
      const columns = section.columns.map(escaped);
      const table = [heading, "", line(columns), line(columns.map(() => ":--")), ...rows].join("\n");
      return `${table}${remark}`;
    }
  }
}

function valueText(value: DetailValue, { date, linkTo }: MarkdownParts): string | undefined {
  if (typeof value === "string") {
    return escaped(value);
  }
  switch (value.type) {
    case "date":
      return value.value === null || value.value === undefined ? undefined : escaped(date(value.value) ?? "");
    case "code":
      return code(value.text);
    case "resource":
      return `[${escaped(value.resource.name)}](${linkTo(value.resource)})`;
    case "web":
      return `[${escaped(value.label)}](<${encodeURI(value.address).replace(/[<>]/g, "")}>)`;
  }
}

/** Escapes text for Markdown, on one line, and shows characters that change how it reads. */
export function escaped(text: string): string {
  return displayedText(text.replace(/[\r\n]+/g, " "))
    .replace(/[\\`*_{}[\]()#+\-.!|~]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

/**
 * Inline code that shows the text unchanged, even in a table, except for characters that mislead. Line breaks become spaces.
 */
export function code(text: string): string {
  const line = displayedText(text.replace(/[\r\n]+/g, " ")).replace(/\|/g, "\\|");
  const ticks = "`".repeat(maxBacktickRun(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** A block of code that shows the text unchanged, whatever it contains. */
export function fenced(text: string, language: string): string {
  const ticks = "`".repeat(Math.max(3, maxBacktickRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}
