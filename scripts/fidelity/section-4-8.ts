import { type FidelitySection, rule } from "./statement.ts";

/** The front door's endpoints. */
export const section48: FidelitySection = {
  number: "4.8",
  title: "Front door",
  statements: [
    rule("frontDoor.credentials.validate", "POST /internal/validate is protected by X-Webui-Secret", {
      code: ["src/programs/front-door/http/validation-requests.ts#ValidationRequests"],
      reach: ["front-door:internalSecret", "program:command-line"],
      served: ["src/programs/front-door/http/validation-requests.ts#ValidationRequests"],
    }),
    rule("frontDoor.credentials.validate", "It returns only a Boolean, and never the credential", {
      code: ["src/programs/front-door/credential/validation.ts#validate"],
      reach: ["program:front-door"],
      served: ["src/programs/front-door/credential/validation.ts#validate"],
    }),
    rule("frontDoor.entitlements.check", "GET entitlements/check checks the configured resource, with X-Webui-Secret", {
      code: ["src/programs/front-door/credential/entitlements.ts#Entitlements"],
      reach: ["front-door:internalBaseUrl", "front-door:entitlementResource"],
    }),
    rule(
      "frontDoor.credentials.get",
      "GET platform-cred with email and slug returns a stored credential in an envelope",
      { code: ["src/programs/front-door/credential/credentials.ts#Credentials"], reach: ["front-door:credentialSlug"] },
    ),
  ],
};
