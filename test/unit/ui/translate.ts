/** Fills in `{0}`, `{1}` as the editor's own translation does for English. */
export function english(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
}
