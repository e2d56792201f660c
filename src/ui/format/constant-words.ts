// How the platform's constants read.

/** `COMPLETED_WITH_WARNINGS` as `completed with warnings`. */
export function constantWords(constant: string): string {
  return constant.replaceAll("_", " ").toLowerCase();
}

/** `PAGE_ACCESS_REQUESTED` as `Page access requested`. */
export function sentenceWords(constant: string): string {
  const words = constantWords(constant);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
