import * as vscode from "vscode";
import * as z from "zod/mini";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { FrontDoorParts, FrontDoorServers } from "../front-door/servers.ts";
import type { EditorTools } from "./editor-tools.ts";
import type { EditorToolParts } from "./remote-places.ts";

export interface LanguageModelParts extends EditorToolParts {
  readonly context: vscode.ExtensionContext;
  readonly secrets: TenantSecrets;
  readonly log: vscode.LogOutputChannel;
  /** What is loaded when it is used first. */
  readonly load: () => Promise<{
    readonly createEditorTools: (parts: EditorToolParts) => EditorTools;
    readonly FrontDoorServers: new (parts: FrontDoorParts) => FrontDoorServers;
  }>;
}

const manifestShape = z.looseObject({
  contributes: z.looseObject({ languageModelTools: z.array(z.looseObject({ name: z.string() })) }),
});

/** Offers language models the editor's own tools and the tenants' front doors. Nothing of it loads before it is used. */
export function registerLanguageModel(parts: LanguageModelParts): vscode.Disposable {
  const { languageModelTools } = z.parse(manifestShape, parts.context.extension.packageJSON).contributes;
  let tools: Promise<EditorTools> | undefined;
  const load = async (name: string): Promise<vscode.LanguageModelTool<unknown>> => {
    tools ??= parts.load().then(({ createEditorTools }) => createEditorTools(parts));
    const tool = (await tools).get(name);
    if (tool === undefined) {
      throw new Error(`there is no tool ${name}`);
    }
    return tool;
  };
  return vscode.Disposable.from(
    frontDoors(parts),
    ...languageModelTools.map(({ name }) =>
      vscode.lm.registerTool(name, {
        prepareInvocation: async (options, token) => (await load(name)).prepareInvocation?.(options, token),
        invoke: async (options, token) => (await load(name)).invoke(options, token),
      }),
    ),
  );
}

function frontDoors({ registry, secrets, log, load: loadAll }: LanguageModelParts): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let servers: Promise<FrontDoorServers> | undefined;
  const load = (): Promise<FrontDoorServers> => {
    servers ??= loadAll().then((loaded) => new loaded.FrontDoorServers({ registry, secrets, log }));
    return servers;
  };
  return vscode.Disposable.from(
    changed,
    registry.onDidChange(() => changed.fire()),
    secrets.onDidChangeFrontDoorToken(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider("platformWorkbench.frontDoor", {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (await load()).definitions(),
      resolveMcpServerDefinition: async (server) =>
        server instanceof vscode.McpHttpServerDefinition ? (await load()).resolve(server) : undefined,
    }),
    { dispose: () => void servers?.then((loaded) => loaded.dispose()) },
  );
}
