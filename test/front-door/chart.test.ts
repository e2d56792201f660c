// The Helm chart: what Helm renders, whether Kubernetes accepts it, and whether the front door starts with it.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { configurationFrom } from "../../src/programs/front-door/config/configuration-reading.ts";
import { settingDefinitions } from "../../src/programs/front-door/config/setting-definitions.ts";
import { createMetrics } from "../../src/programs/front-door/observability/metrics.ts";
import { at, ChartRenderer, chartDirectory, type Part } from "../harness/front-door/chart.ts";

const needed = {
  jwksUrl: "https://issuer.example.com/jwks.json",
  issuer: "https://issuer.example.com",
  audience: "platform-tools",
  internalBaseUrl: "https://internal.example.com",
  entitlementResource: "remote-tools",
  platformBaseUrl: "https://acme.example.com",
  publicUrl: "https://tools.example.com",
  trustedProxies: ["10.0.0.0/8"],
};
const usual = { settings: needed, secret: { name: "front-door" } };

/** Every optional feature, turned on. */
const everything = {
  image: { digest: `sha256:${"a".repeat(64)}` },
  imagePullSecrets: [{ name: "registry" }],
  settings: {
    ...needed,
    sharedStateUrl: "rediss://valkey.example.com:6379/0",
    requestsPerMinute: 10_000_000,
    readOnly: false,
    drainSeconds: 15,
    graceSeconds: 40,
  },
  secret: { name: "front-door", keys: { sharedStatePassword: "shared-state-password" } },
  tls: { secretName: "front-door-tls" },
  ingress: {
    enabled: true,
    className: "nginx",
    annotations: { a: "b" },
    host: "tools.example.com",
    tlsSecretName: "tls",
  },
  networkPolicy: {
    toolsFrom: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress-nginx" } } }],
    internalFrom: [{ podSelector: { matchLabels: { app: "internal-service" } } }],
    egress: [{ to: [{ ipBlock: { cidr: "10.1.2.3/32" } }], ports: [{ port: 6379, protocol: "TCP" }] }],
  },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" }, tlsConfig: { insecureSkipVerify: true } },
  traces: {
    endpoint: "http://collector:4318",
    sampler: "traceidratio",
    samplerArgument: "0.1",
    headersSecret: { name: "collector", key: "headers" },
  },
  extraEnv: [{ name: "OTEL_RESOURCE_ATTRIBUTES", value: "deployment.environment=production" }],
  extraVolumes: [{ name: "authority", configMap: { name: "authority" } }],
  extraVolumeMounts: [{ name: "authority", mountPath: "/etc/authority", readOnly: true }],
  podAnnotations: { a: "b" },
  podLabels: { c: "d" },
  nodeSelector: { "kubernetes.io/os": "linux" },
  tolerations: [{ key: "tools", operator: "Exists" }],
  affinity: { nodeAffinity: {} },
  priorityClassName: "high",
};

function one(manifests: readonly Part[], kind: string): Part {
  const [found, ...more] = manifests.filter((manifest) => manifest.kind === kind);
  assert.ok(found !== undefined && more.length === 0, `${kind}: ${more.length}`);
  return found;
}

function labelsOf(manifest: unknown): Readonly<Record<string, unknown>> {
  return { ...(at(manifest, "metadata.labels") ?? {}) };
}

let renderer: ChartRenderer;
/** Rendered charts, by their values. */
const rendered = new Map<object, ReturnType<ChartRenderer["render"]>>();

async function manifestsOf(values: object): Promise<readonly Part[]> {
  const rendering = rendered.get(values) ?? renderer.render(values);
  rendered.set(values, rendering);
  const { refused, lint, problems, manifests } = await rendering;
  assert.equal(refused, undefined);
  assert.deepEqual(lint, []);
  assert.deepEqual(problems, []);
  return manifests;
}

const pod = (manifests: readonly Part[], path: string): unknown =>
  at(one(manifests, "Deployment"), `spec.template.spec.${path}`);

describe("front door: the Helm chart", () => {
  before(async () => {
    renderer = await ChartRenderer.start();
  });
  after(() => renderer?.stop());

  it("is accepted by Helm and by the oldest and newest Kubernetes with the required values", async () => {
    const manifests = await manifestsOf(usual);
    assert.deepEqual(manifests.map(({ kind }) => kind).toSorted(), [
      ...["ConfigMap", "Deployment", "HorizontalPodAutoscaler", "NetworkPolicy"],
      ...["PodDisruptionBudget", "Service", "Service", "ServiceAccount"],
    ]);
  });

  it("is also accepted with all values", async () => {
    const manifests = await manifestsOf(everything);
    const kinds = new Set(manifests.map(({ kind }) => kind));
    assert.ok(kinds.has("Ingress") && kinds.has("ServiceMonitor"));
    const monitor = one(manifests, "ServiceMonitor");
    const [service] = manifests.filter(
      (manifest) => manifest.kind === "Service" && `${at(manifest, "metadata.name")}`.endsWith("-internal"),
    );
    const selected = Object.entries(at(monitor, "spec.selector.matchLabels") ?? {});
    assert.ok(selected.length > 2);
    for (const [label, value] of selected) assert.equal(labelsOf(service)[label], value);
    assert.equal(at(monitor, "spec.endpoints.0.scheme"), "https");
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      assert.equal(pod(manifests, `containers.0.${probe}.httpGet.scheme`), "HTTPS");
    }
    assert.ok(Number(pod(manifests, "terminationGracePeriodSeconds")) > 55);
    assert.match(String(pod(manifests, "containers.0.image")), /@sha256:a{64}$/);
    const paths = at(one(manifests, "Ingress"), "spec.rules.0.http.paths");
    assert.ok(Array.isArray(paths));
    assert.deepEqual(
      paths.map(({ path, pathType }) => [path, pathType]),
      [
        ["/mcp", "Exact"],
        ["/.well-known/oauth-protected-resource", "Exact"],
        ["/.well-known/oauth-protected-resource/mcp", "Exact"],
      ],
    );
  });

  it("is accepted with all optional parts turned off", async () => {
    const off = { enabled: false };
    const manifests = await manifestsOf({
      ...usual,
      autoscaling: off,
      podDisruptionBudget: off,
      networkPolicy: off,
      replicaCount: 3,
    });
    assert.equal(at(one(manifests, "Deployment"), "spec.replicas"), 3);
    assert.equal(manifests.length, 5);
  });

  it("runs pods without privileges, a token, or writable folders", async () => {
    const manifests = await manifestsOf(everything);
    assert.deepEqual(pod(manifests, "securityContext"), {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(pod(manifests, "containers.0.securityContext"), {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    assert.equal(pod(manifests, "automountServiceAccountToken"), false);
    for (const path of ["hostNetwork", "hostPID", "hostIPC"]) assert.equal(pod(manifests, path), undefined);
    const mounts = pod(manifests, "containers.0.volumeMounts");
    assert.ok(Array.isArray(mounts) && mounts.every(({ readOnly }) => readOnly === true));
    assert.ok(pod(manifests, "containers.0.resources.limits.memory") !== undefined);
    // Variables such as FRONT_DOOR_SERVICE_HOST would be errors of the configuration.
    assert.equal(pod(manifests, "enableServiceLinks"), false);
  });

  it("exposes only the tools, and the policy admits the peers in the values", async () => {
    const manifests = await manifestsOf(everything);
    const services = manifests.filter(({ kind }) => kind === "Service");
    assert.deepEqual(
      services.map((service) => [at(service, "spec.ports.0.targetPort"), at(service, "spec.ports.1")]),
      [
        ["tools", undefined],
        ["internal", undefined],
      ],
    );
    const policy = one(manifests, "NetworkPolicy");
    assert.deepEqual(at(policy, "spec.policyTypes"), ["Ingress", "Egress"]);
    assert.deepEqual(at(policy, "spec.ingress.0.from"), everything.networkPolicy.toolsFrom);
    assert.equal(at(policy, "spec.ingress.0.ports.0.port"), "tools");
    assert.deepEqual(at(policy, "spec.ingress.1.from"), everything.networkPolicy.internalFrom);
    assert.equal(at(policy, "spec.ingress.1.ports.0.port"), "internal");
    assert.ok(JSON.stringify(at(policy, "spec.egress")).includes("169.254.0.0/16"));
    assert.deepEqual(at(policy, "spec.egress.2"), everything.networkPolicy.egress[0]);
    assert.deepEqual(at(one(await manifestsOf(usual), "NetworkPolicy"), "spec.ingress"), []);
  });

  it("scales by a metric of the front door", async () => {
    const scaler = one(await manifestsOf(usual), "HorizontalPodAutoscaler");
    const name = at(scaler, "spec.metrics.0.pods.metric.name");
    assert.match(await createMetrics().registry.metrics(), new RegExp(`^# TYPE ${name} gauge$`, "m"));
    assert.equal(at(scaler, "spec.metrics.1.resource.name"), "cpu");
    assert.ok(Number(at(scaler, "spec.minReplicas")) >= 2);
  });

  for (const [what, values] of [
    ["what is needed", usual],
    ["everything", everything],
  ] as const) {
    it(`the front door starts with the configuration that the chart writes from ${what}`, async () => {
      const manifests = await manifestsOf(values);
      const environment = pod(manifests, "containers.0.env");
      assert.ok(Array.isArray(environment));
      const given: [string, string][] = environment
        .filter(({ value }) => typeof value === "string")
        .map(({ name, value }) => [name, value]);
      const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
        type: "pkcs8",
        format: "pem",
      });
      const files: Readonly<Record<string, string>> = {
        "/etc/front-door/front-door.json": fileIn(manifests),
        "/run/secrets/front-door/internal-secret": "the-internal-secret-of-this-test",
        "/run/secrets/front-door/private-key.pem": key.toString(),
        "/run/secrets/front-door/state-secret": "a state secret that all instances have",
        "/run/secrets/front-door/shared-state-password": "a password",
      };
      const asked: string[] = [];
      const read = configurationFrom({
        environment: Object.fromEntries(given),
        readFile: (path) => {
          asked.push(path);
          const content = files[path];
          if (content === undefined) throw new Error(path);
          return content;
        },
      });
      // A real certificate would add nothing: the test checks that it is requested where it is mounted.
      const errors = read.outcome === "invalid" ? read.errors : [];
      if (what === "everything") {
        assert.deepEqual(errors, [
          "The certificate in /run/secrets/tls/tls.crt or its key in /run/secrets/tls/tls.key can't be read.",
        ]);
      } else {
        assert.deepEqual(errors, []);
      }
      const mounted = ["/etc/front-door/", "/run/secrets/front-door/", "/run/secrets/tls/"];
      assert.ok(
        asked.every((path) => mounted.some((directory) => path.startsWith(directory))),
        asked.join(),
      );
    });
  }

  for (const [what, values, said] of [
    ["no settings", { secret: usual.secret }, /jwksUrl/],
    ["a setting that there is not", { ...usual, settings: { ...needed, jwksUri: "https://a" } }, /jwksUri/],
    ["a secret among the settings", { ...usual, settings: { ...needed, internalSecret: "secret" } }, /internalSecret/],
    ["no Secret", { settings: needed }, /secret/],
    ["a value that there is not", { ...usual, replicas: 3 }, /replicas/],
    ["nobody who ends TLS", { ...usual, settings: { ...needed, trustedProxies: [] } }, /trustedProxies/],
    ["no name", { ...usual, settings: { ...needed, publicUrl: "" } }, /publicUrl/],
    ["an ingress without a host", { ...usual, ingress: { enabled: true, tlsSecretName: "tls" } }, /host/],
    [
      "autoscaling without a metric",
      { ...usual, autoscaling: { requestsInFlight: { enabled: false }, cpu: { enabled: false } } },
      /metric/,
    ],
  ] as const) {
    it(`is rejected with ${what}`, async () => {
      const { refused } = await renderer.render(values);
      assert.match(refused ?? "", said);
    });
  }

  it("knows all settings", async () => {
    const schema: unknown = JSON.parse(await readFile(join(chartDirectory, "values.schema.json"), "utf8"));
    const own = ["listen", "internalListen", "tlsCertificateFile", "tlsKeyFile"];
    const names = settingDefinitions
      .filter(({ name, isSecret }) => !isSecret && !own.includes(name))
      .map(({ name }) => name);
    assert.deepEqual(at(schema, "properties.settings.propertyNames.enum"), names.toSorted());
  });
});

/** The configuration file in the config map. */
function fileIn(manifests: readonly Part[]): string {
  const data = at(one(manifests, "ConfigMap"), "data");
  assert.ok(typeof data === "object" && data !== null && "front-door.json" in data);
  return String(data["front-door.json"]);
}
