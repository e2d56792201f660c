import { type FidelitySection, statement } from "./statement.ts";

const door = "src/programs/front-door";
const served = [`${door}/server.ts#startFrontDoor`];

/** Authentication. */
export const section5: FidelitySection = {
  number: "5",
  title: "Authentication",
  statements: [
    statement("5.1: platform endpoints take a credential that belongs to one tenant", {
      code: ["src/api/http/credentials.ts#PlatformCredential"],
      reach: ["command:signIn", "setting:tenants"],
      served: ["src/programs/sample-tenant/platform-requests.ts#PlatformRequests"],
      proof: ["test/unit/api/http/dialects.test.ts > send each credential kind in its own header"],
    }),
    statement("5.2: the content server takes the notebook token, a kind of its own", {
      code: ["src/api/http/credentials.ts#NotebookToken"],
      reach: ["command:setNotebookToken"],
      served: ["src/programs/sample-tenant/content-requests.ts#ContentRequests"],
      proof: ["test/unit/api/http/dialects.test.ts > send each credential kind in its own header"],
    }),
    statement("5.2: any other kind of authentication is rejected before the request is sent", {
      code: ["src/api/client/request.ts#prepareRequest"],
      reach: ["operation:contents.get"],
      served: ["operation:contents.get"],
      proof: [
        "test/unit/api/client/client-input.test.ts > a content server never gets a platform credential, even if the types are bypassed",
      ],
    }),
    statement("5.2: a 403 of the content server means that the notebook token is invalid", {
      code: ["src/api/catalogue/content-errors.ts#contentChangeErrors"],
      reach: ["scheme:platform-contents"],
      served: ["src/programs/sample-tenant/content-requests.ts#ContentRequests"],
      proof: [
        "test/content-server/raw-files.test.ts > returns 403 for a wrong or missing token, also for missing files",
      ],
    }),
    statement("5.3: clients send a bearer token behind a fixed prefix that ends in an underscore", {
      code: [`${door}/token/bearer-token.ts#extractToken`],
      reach: ["front-door:tokenPrefix"],
      served,
      proof: ["test/front-door/token-header.test.ts > a good token"],
    }),
    statement("5.3: the prefix is removed before the token is verified", {
      code: [`${door}/token/bearer-token.ts#extractToken`],
      reach: ["front-door:tokenPrefix"],
      served,
      proof: [
        "test/unit/programs/front-door/token/token-and-email.test.ts > a token after the prefix stays unchanged, regardless of its beginning",
      ],
    }),
    statement("5.3: a missing token stays missing", {
      code: [`${door}/token/bearer-token.ts#extractToken`],
      reach: ["program:front-door"],
      served,
      proof: [
        "test/unit/programs/front-door/token/token-and-email.test.ts > a missing or empty header, and other schemes, count as a missing token",
      ],
    }),
    statement("5.3: the token is verified only with RS256", {
      code: [`${door}/token/verification.ts#verifyToken`],
      reach: ["program:front-door"],
      served,
      proof: ["test/front-door/token-signature.test.ts > algorithm none, no signature"],
    }),
    statement("5.3: the key set comes from a configurable address", {
      code: [`${door}/token/key-set.ts#KeySet`],
      reach: ["front-door:jwksUrl"],
      served,
      proof: [
        "test/front-door/key-set.test.ts > accepts a token of a new key after one fetch of the key set, and removes the old key",
      ],
    }),
    statement("5.3: issuer and audience are configurable, and required of the token", {
      code: [`${door}/token/claims.ts#claimsOf`],
      reach: ["front-door:issuer", "front-door:audience"],
      served,
      proof: [
        "test/unit/programs/front-door/config/settings.test.ts > an empty value counts as missing: neither the issuer nor the audience can be empty",
      ],
    }),
    statement("5.3: entitlement is checked after verification, with the shared secret", {
      code: [`${door}/credential/entitlements.ts#Entitlements`, `${door}/gate.ts#Gate`],
      reach: ["front-door:entitlementResource"],
      served,
      proof: ["test/front-door/entitlement.test.ts > not entitled", "test/front-door/entitlement.test.ts > entitled"],
    }),
    statement("5.3: the stored credential is fetched with the same header", {
      code: [`${door}/credential/credentials.ts#Credentials`],
      reach: ["front-door:internalSecret"],
      served: ["operation:frontDoor.credentials.get"],
      proof: ["case:frontDoor.credentials.get"],
    }),
    statement("5.3: the credential is decrypted with the server's RSA private key, which only the server has", {
      code: [`${door}/credential/decryption.ts#openEnvelope`],
      reach: ["front-door:privateKey"],
      served: ["operation:frontDoor.credentials.get"],
      proof: [
        "test/front-door/caches.test.ts > envelopes for the old and the new key are decrypted while both are configured",
      ],
    }),
    statement("5.3: /internal/validate is protected only by the secret, not by a token", {
      code: [`${door}/http/validation-requests.ts#ValidationRequests`],
      reach: ["front-door:internalListen"],
      served,
      proof: ["test/front-door/validate.test.ts > a good token in place of the secret"],
    }),
    statement(
      "5.3: the inputs are the private key, key set address, issuer, audience, internal address, secret, and resource",
      {
        code: [`${door}/config/settings.ts#settings`],
        reach: [
          ...[
            "privateKey",
            "jwksUrl",
            "issuer",
            "audience",
            "internalBaseUrl",
            "internalSecret",
            "entitlementResource",
          ].map((name) => `front-door:${name}`),
        ],
        served,
        proof: [
          "test/unit/programs/front-door/config/settings.test.ts > only settings without a sensible default are required",
        ],
      },
    ),
  ],
};
