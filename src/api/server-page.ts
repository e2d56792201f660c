// Texts in web pages of a server, which are read without parsing the page.

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#34;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

/** The text between the first `start` and the `end` after it. Undefined if the page has no such text. */
export function textBetween(page: string, start: string, end: string): string | undefined {
  const from = page.indexOf(start);
  const to = from < 0 ? -1 : page.indexOf(end, from + start.length);
  return to < 0 ? undefined : page.slice(from + start.length, to);
}

/** Replaces the entities that servers write in error pages. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp|#3[49]);/g, (entity) => entities[entity] ?? entity);
}
