/**
 * The origin of a typed address that has a query or a fragment, as page addresses do; undefined for any other address.
 */
export function originOfPage(text: string): string | undefined {
  const typed = text.trim();
  const address = typed.includes("://") ? typed : `https://${typed}`;
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { origin, search, hash, username, password } = new URL(address);
  return (search === "" && hash === "") || username !== "" || password !== "" ? undefined : origin;
}
