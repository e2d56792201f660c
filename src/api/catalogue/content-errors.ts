const tokenRemedy = "Check that the notebook token is valid.";

/** The errors of reads from a content server (API description, 7). */
export const contentReadErrors = {
  403: { kind: "retrieval", remedy: tokenRemedy },
  otherwise: { kind: "retrieval" },
} as const;

/** The errors of changes on a content server, with the operation word of the change (API description, 7). */
export function contentChangeErrors<Word extends string>(word: Word) {
  return { 403: { kind: "crud", word, remedy: tokenRemedy }, otherwise: { kind: "crud", word } } as const;
}
