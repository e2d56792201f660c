import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import {
  chartSchemaPath,
  chartSchemaWithSettings,
  frontDoorSettingsPage,
} from "../../../../../scripts/generate-front-door-settings.ts";
import { projectDirectory } from "../../../../../scripts/set-up/paths.ts";
import type { Configuration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { configurationFrom } from "../../../../../src/programs/front-door/config/configuration-reading.ts";
import { thumbprintOf } from "../../../../../src/programs/front-door/config/private-keys.ts";
import { settingDefinitions, usageText } from "../../../../../src/programs/front-door/config/setting-definitions.ts";
import type { SettingSources } from "../../../../../src/programs/front-door/config/setting-sources.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const pkcs1 = other.export({ type: "pkcs1", format: "pem" }).toString();

const needed: Readonly<Record<string, string>> = {
  FRONT_DOOR_JWKS_URL: "https://issuer.example.com/jwks.json",
  FRONT_DOOR_ISSUER: "https://issuer.example.com",
  FRONT_DOOR_AUDIENCE: "tools, other-tools",
  FRONT_DOOR_INTERNAL_BASE_URL: "https://internal.example.com/base",
  FRONT_DOOR_INTERNAL_SECRET: "a-secret-of-the-tests",
  FRONT_DOOR_ENTITLEMENT_RESOURCE: "remote-tools",
  FRONT_DOOR_PRIVATE_KEY: pem,
  FRONT_DOOR_PLATFORM_BASE_URL: "https://acme.example.com",
};

const tenants = { FRONT_DOOR_PLATFORM_BASE_URL: "https://{tenant}.example.com" };
const boundBySlug = {
  FRONT_DOOR_CREDENTIAL_SLUG: "platform-{tenant}",
  FRONT_DOOR_NOTEBOOK_SLUG: "notebook-{tenant}-{workspace_short_id}",
  FRONT_DOOR_ENTITLEMENT_TENANT_PARAMETER: "tenant",
};

function good(environment: Readonly<Record<string, string>> = {}, more: SettingSources = {}): Configuration {
  const read = configurationFrom({ ...more, environment: { ...needed, ...environment } });
  assert.equal(read.outcome, "configuration", JSON.stringify(read));
  return read.configuration;
}

function faults(environment: Readonly<Record<string, string>>, more: SettingSources = {}): readonly string[] {
  const read = configurationFrom({ ...more, environment: { ...needed, ...environment } });
  return read.outcome === "invalid" ? read.errors : [];
}

describe("front door: settings", () => {
  // Proves 5.3: the inputs are the private key, key set address
  it("only settings without a sensible default are required", () => {
    const { token, internal, credentials, tools, listen } = good();
    assert.deepEqual(token.audiences, ["tools", "other-tools"]);
    assert.deepEqual(internal.secrets, ["a-secret-of-the-tests"]);
    assert.equal(tools.readOnly, true);
    assert.deepEqual(listen, { host: "127.0.0.1", port: 8080 });
    assert.deepEqual(
      credentials.keys.map(({ kid }) => kid),
      [thumbprintOf(privateKey)],
    );
  });

  it("all missing settings are reported together", () => {
    const read = configurationFrom({ environment: {} });
    assert.equal(read.outcome, "invalid");
    for (const name of Object.keys(needed)) {
      assert.equal(
        read.errors.filter((fault) => fault.startsWith(name)).length,
        1,
        `${name}: ${read.errors.join("\n")}`,
      );
    }
  });

  // Proves 5.3: issuer and audience are configurable, and required of the token
  it("an empty value counts as missing: neither the issuer nor the audience can be empty", () => {
    for (const name of ["FRONT_DOOR_ISSUER", "FRONT_DOOR_AUDIENCE", "FRONT_DOOR_INTERNAL_SECRET"]) {
      for (const value of ["", "  "]) {
        assert.match(faults({ [name]: value }).join("\n"), new RegExp(`^${name}`), `${name}=${JSON.stringify(value)}`);
      }
    }
    assert.match(faults({ FRONT_DOOR_AUDIENCE: " , " }).join("\n"), /at least one/);
  });

  it("flags take precedence over the environment, and the environment over the file", () => {
    const file = { issuer: "https://file.example.com", audience: ["a", "b"], clockSkewSeconds: 7, readOnly: false };
    const sources = {
      flags: ["--config", "/front-door.json", "--clock-skew-seconds=9"],
      readFile: () => JSON.stringify(file),
    };
    const { FRONT_DOOR_AUDIENCE: _, ...rest } = needed;
    const read = configurationFrom({ ...sources, environment: rest });
    assert.equal(read.outcome, "configuration", JSON.stringify(read));
    assert.equal(read.configuration.token.issuer, needed.FRONT_DOOR_ISSUER);
    assert.deepEqual(read.configuration.token.audiences, ["a", "b"]);
    assert.equal(read.configuration.token.clockSkewSeconds, 9);
    assert.equal(read.configuration.tools.readOnly, false);
  });

  it("running cells must be enabled, and requires settings that offer the tool", () => {
    assert.equal(good().tools.runCells, false);
    const changes = { FRONT_DOOR_RUN_CELLS: "true", FRONT_DOOR_READ_ONLY: "false" };
    assert.equal(good(changes).tools.runCells, true);
    assert.match(faults({ FRONT_DOOR_RUN_CELLS: "true" }).join("\n"), /requires FRONT_DOOR_READ_ONLY=false/);
    assert.match(faults({ ...changes, FRONT_DOOR_TOOLSETS: "designs" }).join("\n"), /requires contents/);
    assert.equal(good({ ...changes, FRONT_DOOR_TOOLSETS: "designs,contents" }).tools.runCells, true);
  });

  it("unknown settings are errors in all sources", () => {
    const told = faults(
      { FRONT_DOOR_ISUER: "x", FRONT_DOOR_CONFIG: "/c" },
      { flags: ["--isuer", "x"], readFile: () => '{"isuer": "x"}' },
    );
    assert.deepEqual(
      told.map((fault) => fault.replace(/ .*/, "")),
      ["--isuer", "isuer", "FRONT_DOOR_ISUER"],
    );
  });

  it("secrets can come from files, but not from flags", () => {
    const { FRONT_DOOR_INTERNAL_SECRET: _, FRONT_DOOR_PRIVATE_KEY: __, ...rest } = needed;
    const files: Readonly<Record<string, string>> = {
      "/s": "first-secret-0123456789 second-secret-012345\n",
      "/a": pem,
      "/b": pkcs1,
    };
    const readFile = (path: string): string => files[path] ?? assert.fail(path);
    const environment = { ...rest, FRONT_DOOR_INTERNAL_SECRET_FILE: "/s" };
    const read = configurationFrom({ environment, flags: ["--private-key-file", "new=/a, old=/b"], readFile });
    assert.equal(read.outcome, "configuration", JSON.stringify(read));
    assert.deepEqual(read.configuration.internal.secrets, ["first-secret-0123456789", "second-secret-012345"]);
    assert.deepEqual(
      read.configuration.credentials.keys.map(({ kid }) => kid),
      ["new", "old"],
    );
    const refused = faults({}, { flags: ["--internal-secret", "hunter2-hunter2-hunter2"] });
    assert.match(refused.join("\n"), /--internal-secret-file/);
    assert.doesNotMatch(refused.join("\n"), /hunter2/);
  });

  it("keys with escaped line breaks are accepted", () => {
    const written = pem.replaceAll("\n", "\\n");
    assert.equal(good({ FRONT_DOOR_PRIVATE_KEY: written }).credentials.keys.length, 1);
  });

  it("weak, unsupported, and invalid keys are rejected without repeating them", () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const cases = [
      { key: weak.export({ type: "pkcs8", format: "pem" }).toString(), told: /1024 bits/ },
      { key: curve.export({ type: "pkcs8", format: "pem" }).toString(), told: /not an RSA key/ },
      { key: pem.replace(/.{10}\n-----END/, "\n-----END"), told: /can't be read/ },
      { key: "not a key", told: /no private key/ },
      { key: `${pem}\n${pem}`, told: /same name/ },
    ];
    for (const { key, told } of cases) {
      const given = faults({ FRONT_DOOR_PRIVATE_KEY: key }).join("\n");
      assert.match(given, told);
      const inner = key.split("\n").filter((line) => line.length > 30 && !line.startsWith("--"));
      assert.ok(!inner.some((line) => given.includes(line)));
    }
  });

  it("no error repeats a secret", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6 }),
        fc.constantFrom("INTERNAL_SECRET", "PRIVATE_KEY", "STATE_SECRET"),
        (text, name) => {
          const secret = `Zq7-${text}`;
          const given = faults({ [`FRONT_DOOR_${name}`]: secret, FRONT_DOOR_LISTEN: "x" }).join("\n");
          assert.ok(!given.includes(secret));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("secrets and keys aren't sent over HTTP, except to this machine or if allowed", () => {
    for (const name of ["FRONT_DOOR_JWKS_URL", "FRONT_DOOR_INTERNAL_BASE_URL", "FRONT_DOOR_PLATFORM_BASE_URL"]) {
      assert.match(faults({ [name]: "http://10.0.0.7/x" }).join("\n"), new RegExp(`${name} uses HTTP`));
      assert.deepEqual(faults({ [name]: "http://127.0.0.1:81/x" }), []);
      assert.deepEqual(faults({ [name]: "http://10.0.0.7/x", FRONT_DOOR_ALLOW_HTTP: "true" }), []);
      assert.match(faults({ [name]: "https://user:pass@example.com/" }).join("\n"), /must not contain a user/);
    }
  });

  it("a reachable address requires TLS or a proxy, and a name", () => {
    const open = { FRONT_DOOR_LISTEN: "0.0.0.0:8080" };
    assert.equal(faults(open).length, 2);
    const proxied = { ...open, FRONT_DOOR_TRUSTED_PROXIES: "10.0.0.0/8,fd00::/8" };
    assert.equal(faults(proxied).length, 1);
    const { public: names } = good({ ...proxied, FRONT_DOOR_PUBLIC_URL: "https://tools.example.com" });
    assert.deepEqual([...names.allowedHosts], ["tools.example.com"]);
    assert.deepEqual(names.authorizationServers, ["https://issuer.example.com"]);
    assert.match(faults({ FRONT_DOOR_TRUSTED_PROXIES: "10.0.0.0/99" }).join("\n"), /not an address or network/);
  });

  it("a tenant can only be in the platform's hostname", () => {
    assert.equal(good({ ...tenants, ...boundBySlug }).platform.baseUrl, "https://{tenant}.example.com");
    for (const address of [
      "https://example.com/{tenant}",
      "http://{tenant}",
      "https://{tenant}:8443",
      "https://127.0.0.{tenant}",
      "https://acme-{tenant}",
      "https://{tenant}.1",
      "https://{other}.example.com",
      "ftp://example.com",
      "example.com",
    ]) {
      assert.equal(faults({ FRONT_DOOR_PLATFORM_BASE_URL: address }).length, 1, address);
    }
  });

  it("with a tenant in the hostname, credentials and entitlements must be bound to it", () => {
    const parameter = { FRONT_DOOR_ENTITLEMENT_TENANT_PARAMETER: "tenant" };
    const { FRONT_DOOR_ENTITLEMENT_TENANT_PARAMETER: _, ...slugs } = boundBySlug;
    assert.equal(faults(tenants).length, 2);
    assert.match(faults({ ...tenants, ...slugs }).join("\n"), /entitlements are not bound to a tenant/);
    assert.match(faults({ ...tenants, ...parameter }).join("\n"), /credentials are not bound to a tenant/);
    for (const name of ["FRONT_DOOR_CREDENTIAL_SLUG", "FRONT_DOOR_NOTEBOOK_SLUG"] as const) {
      const { [name]: __, ...half } = boundBySlug;
      assert.match(faults({ ...tenants, ...half }).join("\n"), /credentials are not bound to a tenant/, name);
    }
    good({ ...tenants, ...parameter, FRONT_DOOR_ENVELOPE_TENANT_REQUIRED: "true" });
    good({ ...tenants, ...slugs, FRONT_DOOR_ENTITLEMENT_RESOURCE: "tools-of-{tenant}" });
    for (const more of [parameter, slugs, { FRONT_DOOR_ENVELOPE_TENANT_REQUIRED: "true" }]) {
      assert.match(faults({ ...more }).join("\n"), /does not contain \{tenant\}/);
    }
    for (const slug of ["{tenant}-{tenant}", "{other}", "platform {tenant}"]) {
      assert.equal(faults({ ...tenants, ...boundBySlug, FRONT_DOOR_CREDENTIAL_SLUG: slug }).length >= 1, true, slug);
    }
  });

  it("unreachable metrics and probes cause a warning", () => {
    const open = {
      FRONT_DOOR_LISTEN: "0.0.0.0:8080",
      FRONT_DOOR_TRUSTED_PROXIES: "10.0.0.0/8",
      FRONT_DOOR_PUBLIC_URL: "https://tools.example.com",
      FRONT_DOOR_STATE_SECRET: "a state secret of the tests, long enough",
    };
    const remarks = (environment: Readonly<Record<string, string>>): readonly string[] => {
      const read = configurationFrom({ environment: { ...needed, ...environment } });
      return read.outcome === "configuration" ? read.remarks : assert.fail(read.errors.join("\n"));
    };
    assert.match(remarks(open).join("\n"), /Set FRONT_DOOR_INTERNAL_LISTEN/);
    assert.deepEqual(remarks({ ...open, FRONT_DOOR_INTERNAL_LISTEN: "0.0.0.0:9090" }), []);
  });

  it("a shared state is used if an address is set, with a password outside of the address", () => {
    const shared = { FRONT_DOOR_STATE_SECRET: "a state secret that all instances have" };
    assert.equal(good().sharedState, undefined);
    const url = "rediss://front-door@store.example.com/3";
    const more = { readFile: () => "the password\n" };
    const given = { ...shared, FRONT_DOOR_SHARED_STATE_URL: url, FRONT_DOOR_SHARED_STATE_PASSWORD_FILE: "/password" };
    assert.deepEqual(good(given, more).sharedState, {
      host: "store.example.com",
      port: 6379,
      database: 3,
      isSecure: true,
      username: "front-door",
      password: "the password",
      prefix: "front-door:",
      timeLimitMilliseconds: 250,
      whenUnavailable: "closed",
    });
    const local = good({ ...shared, FRONT_DOOR_SHARED_STATE_URL: "valkey://[::1]:7000" }).sharedState;
    assert.deepEqual([local?.host, local?.port, local?.isSecure], ["::1", 7000, false]);
  });

  it("a shared state requires a common secret and TLS, and its other settings require its address", () => {
    const shared = { FRONT_DOOR_STATE_SECRET: "a state secret that all instances have" };
    const at = (url: string): readonly string[] => faults({ ...shared, FRONT_DOOR_SHARED_STATE_URL: url });
    assert.match(at("redis://store.example.com").join(), /another machine without TLS/);
    assert.deepEqual(at("redis://127.0.0.1"), []);
    assert.deepEqual(
      faults({ ...shared, FRONT_DOOR_SHARED_STATE_URL: "redis://store", FRONT_DOOR_ALLOW_HTTP: "true" }),
      [],
    );
    assert.match(faults({ FRONT_DOOR_SHARED_STATE_URL: "rediss://store" }).join(), /requires FRONT_DOOR_STATE_SECRET/);
    assert.match(faults({ FRONT_DOOR_SHARED_STATE_PASSWORD: "secret-word" }).join(), /SHARED_STATE_URL is not/);
    for (const url of ["https://store", "rediss://", "rediss://store/path", "rediss://store/0?a=b", "store:6379"]) {
      assert.equal(at(url).length, 1, url);
    }
    const refused = at("rediss://user:secret-word@store").join();
    assert.match(refused, /must not contain a password/);
    assert.doesNotMatch(refused, /secret-word/);
    const readFile = (): string => "no certificate";
    const authority = {
      ...shared,
      FRONT_DOOR_SHARED_STATE_URL: "rediss://store",
      FRONT_DOOR_SHARED_STATE_CA_FILE: "/ca",
    };
    assert.match(faults(authority, { readFile }).join(), /certificate in \/ca can't be read/);
  });

  it("the user in the address of the shared state is decoded, and rejected if that is impossible", () => {
    const shared = { FRONT_DOOR_STATE_SECRET: "a state secret that all instances have" };
    const at = (user: string) => ({ ...shared, FRONT_DOOR_SHARED_STATE_URL: `rediss://${user}@store` });
    assert.equal(good(at("front%20door")).sharedState?.username, "front door");
    assert.deepEqual(faults(at("%zz")), ["FRONT_DOOR_SHARED_STATE_URL: its user can't be decoded."]);
  });

  it("a revocation is stored for at least the maximum lifetime of a token", () => {
    assert.match(faults({ FRONT_DOOR_REVOCATION_SECONDS: "86459" }).join(), /at least 86460/);
    assert.equal(good({ FRONT_DOOR_REVOCATION_SECONDS: "86460" }).token.revocationSeconds, 86_460);
  });

  it("every default is a valid value", () => {
    for (const { name, need, type } of settingDefinitions) {
      if (need === "default") {
        assert.equal(type.safeParse(undefined).success, true, name);
      }
    }
  });

  // Proves 5.3: clients send a bearer token behind a fixed prefix
  it("a token's prefix ends with an underscore, and can contain more", () => {
    for (const prefix of ["web_ui_", "acme_", "a-b__"]) {
      assert.equal(good({ FRONT_DOOR_TOKEN_PREFIX: prefix }).token.prefix, prefix);
    }
    for (const prefix of ["webui", "_", "web ui_", "web.ui_", `${"a".repeat(33)}_`]) {
      assert.match(
        faults({ FRONT_DOOR_TOKEN_PREFIX: prefix }).join(),
        /FRONT_DOOR_TOKEN_PREFIX: .*underscore at the end/,
      );
    }
  });

  it("each name has one environment variable and one flag", () => {
    const { length } = settingDefinitions;
    for (const part of ["name", "environment", "flag"] as const) {
      assert.equal(new Set(settingDefinitions.map((setting) => setting[part])).size, length);
    }
    const named = settingDefinitions.find(({ name }) => name === "jwksTimeLimitMilliseconds");
    assert.equal(named?.environment, "FRONT_DOOR_JWKS_TIME_LIMIT_MILLISECONDS");
    assert.equal(named?.flag, "jwks-time-limit-milliseconds");
  });
});

describe("docs/front-door-settings.md", () => {
  it("matches the settings (else run: node scripts/generate-front-door-settings.ts)", async () => {
    const page = join(projectDirectory, "docs", "front-door-settings.md");
    assert.equal(await readFile(page, "utf8"), frontDoorSettingsPage());
  });

  it("names the bounds and choices of a setting as its error does", () => {
    for (const [name, variable] of [
      ["clockSkewSeconds", "FRONT_DOOR_CLOCK_SKEW_SECONDS"],
      ["callSeconds", "FRONT_DOOR_CALL_SECONDS"],
      ["logLevel", "FRONT_DOOR_LOG_LEVEL"],
    ] as const) {
      const [, form = ""] = /: it must be (.*)$/m.exec(faults({ [variable]: "-1" }).join("\n")) ?? [];
      const section =
        frontDoorSettingsPage()
          .split("\n### ")
          .find((one) => one.startsWith(`${name}\n`)) ?? "";
      assert.ok(form.length > 10 && section.toLowerCase().includes(` ${form.toLowerCase()}`), `${name}: ${form}`);
    }
  });

  it("marks exactly the required settings as required, like the help", () => {
    const required = settingDefinitions.flatMap(({ name, need }) => (need === "required" ? [name] : []));
    const sections = frontDoorSettingsPage().split("\n### ").slice(1);
    const called = sections.filter((section) => /Required\.$/m.test(section)).map((section) => section.split("\n")[0]);
    assert.deepEqual(called, required);
    assert.equal(usageText().split("(required)\n").length - 1, required.length);
    const confirmation = sections.find((section) => section.startsWith("confirmation\n"));
    assert.match(confirmation ?? "", /Default: `required`\.$/m);
    assert.match(usageText(), /--confirmation, FRONT_DOOR_CONFIRMATION\n.* \(default: required\)\n/);
  });
});

describe("deployment/helm: values.schema.json", () => {
  it("knows the settings (else run: node scripts/generate-front-door-settings.ts)", async () => {
    const schema = JSON.parse(await readFile(chartSchemaPath, "utf8"));
    assert.deepEqual(schema, chartSchemaWithSettings(schema));
  });
});
