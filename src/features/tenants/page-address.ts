import { withScheme } from "../../tenants/base-url.ts";

/** The origin of a typed address with a query or a fragment, which is the address of a page; undefined for any other. */
export function originOfPage(text: string): string | undefined {
  const address = withScheme(text.trim());
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { origin, search, hash, username, password } = new URL(address);
  return (search === "" && hash === "") || username !== "" || password !== "" ? undefined : origin;
}
