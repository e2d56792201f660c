import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** An issuer for trying: it publishes a key and signs tokens for whoever is named to it. */
export interface DemoIssuer {
  readonly issuer: string;
  readonly keySetUrl: string;
  /** A token for that person, without prefix, valid so many seconds. */
  token(email: string, audience: string, seconds: number): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it on 127.0.0.1 with a key of its own. */
export async function startDemoIssuer(): Promise<DemoIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const kid = "demo";
  const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, use: "sig", alg: "RS256" }] });
  const server = createServer((request, response) => {
    const isKeySet = request.method === "GET" && request.url === "/jwks.json";
    response.writeHead(isKeySet ? 200 : 404, { "content-type": "application/json" }).end(isKeySet ? keySet : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    keySetUrl: `${issuer}/jwks.json`,
    token: (email, audience, seconds) =>
      new SignJWT({ email, email_verified: true })
        .setProtectedHeader({ alg: "RS256", kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(`demo|${email}`)
        .setIssuedAt()
        .setExpirationTime(`${seconds} seconds`)
        .sign(privateKey),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
