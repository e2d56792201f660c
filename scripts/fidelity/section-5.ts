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
    }),
    statement("5.2: the content server takes the notebook token, a kind of its own", {
      code: ["src/api/http/credentials.ts#NotebookToken"],
      reach: ["command:setNotebookToken"],
      served: ["src/programs/sample-tenant/content-requests.ts#ContentRequests"],
    }),
    statement("5.2: any other kind of authentication is rejected before the request is sent", {
      code: ["src/api/client/request.ts#prepareRequest"],
      reach: ["operation:contents.get"],
      served: ["operation:contents.get"],
    }),
    statement("5.2: a 403 of the content server means that the notebook token is invalid", {
      code: ["src/api/catalogue/content-errors.ts#contentChangeErrors"],
      reach: ["scheme:platform-contents"],
      served: ["src/programs/sample-tenant/content-requests.ts#ContentRequests"],
    }),
    statement("5.3: clients send a bearer token behind a fixed prefix that ends in an underscore", {
      code: [`${door}/token/bearer-token.ts#extractToken`],
      reach: ["front-door:tokenPrefix"],
      served,
    }),
    statement("5.3: the prefix is removed before the token is verified", {
      code: [`${door}/token/bearer-token.ts#extractToken`],
      reach: ["front-door:tokenPrefix"],
      served,
    }),
    statement("5.3: a missing token stays missing", {
      code: [`${door}/token/bearer-token.ts#extractToken`],
      reach: ["program:front-door"],
      served,
    }),
    statement("5.3: the token is verified only with RS256", {
      code: [`${door}/token/verification.ts#verifyToken`],
      reach: ["program:front-door"],
      served,
    }),
    statement("5.3: the key set comes from a configurable address", {
      code: [`${door}/token/key-set.ts#KeySet`],
      reach: ["front-door:jwksUrl"],
      served,
    }),
    statement("5.3: issuer and audience are configurable, and required of the token", {
      code: [`${door}/token/claims.ts#claimsOf`],
      reach: ["front-door:issuer", "front-door:audience"],
      served,
    }),
    statement("5.3: entitlement is checked after verification, with the shared secret", {
      code: [`${door}/credential/entitlements.ts#Entitlements`, `${door}/gate.ts#Gate`],
      reach: ["front-door:entitlementResource"],
      served,
    }),
    statement("5.3: the stored credential is fetched with the same header", {
      code: [`${door}/credential/credentials.ts#Credentials`],
      reach: ["front-door:internalSecret"],
      served: ["operation:frontDoor.credentials.get"],
    }),
    statement("5.3: the credential is decrypted with the server's RSA private key, which only the server has", {
      code: [`${door}/credential/decryption.ts#openEnvelope`],
      reach: ["front-door:privateKey"],
      served: ["operation:frontDoor.credentials.get"],
    }),
    statement("5.3: /internal/validate is protected only by the secret, not by a token", {
      code: [`${door}/http/validation-requests.ts#ValidationRequests`],
      reach: ["front-door:internalListen"],
      served,
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
      },
    ),
  ],
};
