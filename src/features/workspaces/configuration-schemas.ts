import * as vscode from "vscode";
import type { JsonSchema } from "../../api/catalogue/body-schema.ts";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { getSettings } from "../../api/catalogue/operations/workspaces.ts";
import { errorMessage } from "../../api/error-message.ts";
import { type InstanceSettings, kernelsOf, offeredSizes } from "../../api/families/instance-settings.ts";
import { kernelLabel, kernelOf } from "../../api/families/workspaces.ts";
import { lazy } from "../../api/lazy.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { configurationValidation } from "./schema-contribution.ts";

/** A schema with extensions of the editor's JSON support, such as a message that replaces "Value is not accepted". */
type EditorSchema = JsonSchema & { readonly errorMessage?: string; readonly enumDescriptions?: readonly string[] };

interface OpenedConfiguration {
  readonly workspace: Workspace;
  /** Undefined if the settings can't be read; the next call tries again. */
  readonly settings: () => Promise<InstanceSettings | undefined>;
}

interface ConfigurationSchemaParts {
  readonly connections: Pick<Connections, "platform">;
  readonly documents: DocumentReload;
  readonly log: Pick<ExtensionLog, "debug">;
}

/** The document that package.json names as the schema of all configurations. */
const schemaUri = vscode.Uri.parse(configurationValidation.url, true);

/**
 * The JSON schema of the configurations that were opened in this window. Completes and validates the sizes and kernels
 * that each tenant offers.
 */
export class ConfigurationSchemas {
  readonly #parts: ConfigurationSchemaParts;
  readonly #opened = new Map<string, OpenedConfiguration>();

  constructor(parts: ConfigurationSchemaParts) {
    this.#parts = parts;
  }

  /** Called when a configuration was read for its document. Also reads the settings, until that succeeds once. */
  opened(tenantId: string, workspace: Workspace): void {
    const key = `${tenantId}/${workspace.id}`;
    const settings = this.#opened.get(key)?.settings ?? this.#settingsOf(tenantId);
    this.#opened.set(key, { workspace, settings });
    void settings();
    this.#parts.documents.reload(schemaUri);
  }

  /** The schema as text. Has no restrictions for a tenant whose settings can't be read. */
  async text(): Promise<string> {
    const known = await Promise.all(
      [...this.#opened.values()].map(async ({ workspace, settings }) => {
        const read = await settings();
        return read === undefined ? [] : [workspaceSchema(workspace, read)];
      }),
    );
    return `${JSON.stringify({ ...commonSchema(), allOf: known.flat() }, undefined, 2)}\n`;
  }

  #settingsOf(tenantId: string): OpenedConfiguration["settings"] {
    const { connections, log } = this.#parts;
    const read = lazy(async () => (await connections.platform(tenantId)).call(getSettings, {}));
    return async () => {
      try {
        return await read();
      } catch (error) {
        const words = errorMessage(error);
        log.debug(`reading the settings for the schema of configurations: ${words}`);
        return undefined;
      }
    };
  }
}

/** The schema that all configurations share (API description, 2.5). */
function commonSchema(): EditorSchema {
  return {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string", description: vscode.l10n.t("The workspace's ID. It can't be changed.") },
      name: { type: ["string", "null"] },
      description: { type: ["string", "null"] },
      cpu: { type: ["number", "null"], description: vscode.l10n.t("CPUs of the workspace's next instance.") },
      memory: {
        type: ["number", "null"],
        description: vscode.l10n.t("Memory of the workspace's next instance, in GB."),
      },
      notebookKernel: { type: ["string", "null"], description: kernelDescription() },
      jupyterKernel: { type: ["string", "null"], description: kernelDescription() },
      timeoutHours: {
        type: ["number", "null"],
        minimum: 0,
        description: vscode.l10n.t("Hours after which the platform stops an instance."),
      },
    },
  } as EditorSchema;
}

function kernelDescription(): string {
  return vscode.l10n.t("Kernel of new notebooks, such as PYTHON_3_12 or R_4_1.");
}

/** The schema of one workspace: the sizes and kernels that the settings offer, and its current ones. */
function workspaceSchema(workspace: Workspace, settings: InstanceSettings): EditorSchema {
  const kernel = kernelOf(workspace);
  const offered = kernelsOf(settings);
  const kernels = [
    ...offered,
    ...(kernel === undefined || offered.some(({ code }) => code === kernel)
      ? []
      : [{ code: kernel, name: kernelLabel(kernel) ?? kernel }]),
  ];
  const kernelSchema: EditorSchema = {
    enum: kernels.map(({ code }) => code),
    enumDescriptions: kernels.map(({ name }) => name),
    errorMessage: vscode.l10n.t(
      "The platform doesn't offer this kernel. It offers {0}.",
      listed(offered.map(({ code }) => code)),
    ),
  };
  return {
    if: { properties: { id: { const: workspace.id } }, required: ["id"] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword; nobody awaits this object.
    then: {
      allOf: sizeSchemas(workspace, settings),
      properties: offered.length === 0 ? {} : { notebookKernel: kernelSchema, jupyterKernel: kernelSchema },
    },
  };
}

function sizeSchemas(workspace: Workspace, settings: InstanceSettings): EditorSchema[] {
  const offered = offeredSizes(settings);
  if (offered.length === 0) {
    return [];
  }
  const { cpu: cpuNow, memory: memoryNow } = workspace;
  const isKnown = typeof cpuNow === "number" && typeof memoryNow === "number";
  const sizes = isKnown ? [...offered, { cpu: cpuNow, memory: memoryNow }] : offered;
  const cpus = distinct(sizes.map(({ cpu }) => cpu));
  const cpu: EditorSchema = {
    enum: cpus,
    errorMessage: vscode.l10n.t(
      "The platform doesn't offer this number of CPUs. It offers {0}.",
      listed(distinct(offered.map((size) => size.cpu)).map(String)),
    ),
  };
  return [
    { properties: { cpu } },
    ...cpus.map((count): EditorSchema => {
      const ofCount = (all: readonly { readonly cpu: number; readonly memory: number }[]): number[] =>
        distinct(all.filter((size) => size.cpu === count).map(({ memory }) => memory));
      const memories = ofCount(offered);
      const memory: EditorSchema = {
        enum: ofCount(sizes),
        errorMessage:
          memories.length === 0
            ? vscode.l10n.t("The platform doesn't offer {0} CPU.", count)
            : vscode.l10n.t("The platform offers {0} GB with {1} CPU.", listed(memories.map(String)), count),
      };
      return {
        if: { properties: { cpu: { const: count } }, required: ["cpu"] },
        // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword; nobody awaits this object.
        then: { properties: { memory } },
      };
    }),
  ];
}

function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((left, right) => left - right);
}

function listed(values: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: "disjunction" }).format(values);
}
