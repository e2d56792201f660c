/** Questions to ask before a file is saved, by URI. They reject if the file must not be saved. Few files have one. */
export const saveQuestions = new Map<string, () => Promise<void>>();
