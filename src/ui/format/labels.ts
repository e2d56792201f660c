/** Same as `vscode.l10n.t`; a parameter of modules that work without the editor. */
export type Translate = (text: string, ...values: (string | number)[]) => string;

/** Words whose spelling or case differs from the platform's constants. */
const writtenAs = new Map([
  ["api", "API"],
  ["kpi", "KPI"],
  ["domoapp", "custom app"],
]);

/**
 * A constant of the platform as words: `completed with warnings` for `COMPLETED_WITH_WARNINGS`. Known constants
 * (known-values.ts) are translated.
 */
export function constantWords(constant: string, translate: Translate): string {
  return translate(
    constant
      .toLowerCase()
      .split(/[_ ]/)
      .map((word) => writtenAs.get(word) ?? word)
      .join(" "),
  );
}

/** A constant of the platform as a sentence: `Page access requested` for `PAGE_ACCESS_REQUESTED`. */
export function sentenceWords(constant: string, translate: Translate): string {
  const words = constantWords(constant, translate);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The version of an app design or a workflow: `v1.3.0`. */
export function versionLabel(version: string): string {
  return `v${version}`;
}

/** A version with the name of its design or workflow: `Order board v1.3.0`. */
export function versionName(of: string, version: string): string {
  return `${of} ${versionLabel(version)}`;
}

/** The reverse of `versionName`; undefined for a name in another format. */
export function withoutVersion(name: string, version: string): string | undefined {
  const end = versionName("", version);
  return name.endsWith(end) ? name.slice(0, -end.length) : undefined;
}

/** The trimmed text; undefined if it is missing or blank. */
export function nonBlank(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? undefined : trimmed;
}
