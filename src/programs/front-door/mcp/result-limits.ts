/** The range of the argument `maxCharacters`. */
export const askedCharacters = { minimum: 1000, maximum: 10_000_000 } as const;

/**
 * The number of characters of a result's text unless the caller asks for more. In a message, each of them may be
 * escaped again. Therefore, no result is longer than what common clients accept.
 */
export const usualCharacters = 40_000;
/** The number of characters of a result with its pictures unless the caller asks for more. */
const usualCharactersWithPictures = 2 * usualCharacters;

export interface ResultLimits {
  /** For the text. */
  readonly text: number;
  /** For the text and the pictures, which are base64. */
  readonly whole: number;
  /** What a caller can ask for. */
  readonly maximum: number;
}

/** The limits of a result. `maximum` is the server's own limit. */
export function resultLimits(asked: number | undefined, maximum: number): ResultLimits {
  return {
    text: Math.min(asked ?? usualCharacters, maximum),
    whole: Math.min(asked ?? usualCharactersWithPictures, maximum),
    maximum: Math.min(askedCharacters.maximum, maximum),
  };
}
