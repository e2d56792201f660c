/** The origin of a typed address with a query or a fragment, which is the address of a page; undefined for any other. */
export function originOfPage(text: string): string | undefined {
  const typed = text.trim();
  const address = typed.includes("://") ? typed : `https://${typed}`;
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { origin, search, hash, username, password } = new URL(address);
  return (search === "" && hash === "") || username !== "" || password !== "" ? undefined : origin;
}
