/** What has to be answered before a file is saved, by its address: rejects where it must not be. Few files have one. */
export const saveQuestions = new Map<string, () => Promise<void>>();
