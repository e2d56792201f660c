/** Prompts to show before a file is saved, by URI. They reject if the file must not be saved. */
export const saveQuestions = new Map<string, () => Promise<void>>();
