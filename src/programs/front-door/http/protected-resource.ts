import type { Configuration } from "../config/configuration.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** What clients may learn of where tokens come from (RFC 9728); only where an issuer is to be told at a public address. */
export class ProtectedResource {
  /** Where the metadata are; absent where none are published. */
  readonly metadataUrl: string | undefined;
  /** Their JSON. */
  readonly metadata: string | undefined;

  constructor({ public: { url, authorizationServers } }: Pick<Configuration, "public">) {
    if (url === undefined || authorizationServers.length === 0) {
      return;
    }
    this.metadataUrl = `${url.origin}${wellKnown}/mcp`;
    this.metadata = JSON.stringify({
      resource: `${url.origin}/mcp`,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ["header"],
      resource_name: "Platform tools",
    });
  }

  /** The metadata, when the path is one of their two addresses. */
  at(path: string): string | undefined {
    return path === wellKnown || path === `${wellKnown}/mcp` ? this.metadata : undefined;
  }
}
