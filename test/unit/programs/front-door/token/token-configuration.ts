import type { TokenConfiguration } from "../../../../../src/programs/front-door/config/configuration.ts";

/** The front door's requirements for tokens in these tests. */
export const token: TokenConfiguration = {
  prefix: "pwt_",
  prefixRequired: true,
  jwksUrl: new URL("https://issuer.example.com/jwks"),
  issuer: "https://issuer.example.com",
  audiences: ["urn:tools"],
  emailClaim: "email",
  emailVerifiedRequired: false,
  lowerCaseEmail: true,
  allowNonAsciiEmail: false,
  tenantClaim: "tenant",
  clockSkewSeconds: 30,
  maximumLifetimeSeconds: 3600,
  revocationSeconds: 7200,
};
