import * as vscode from "vscode";
import * as z from "zod/mini";
import { lazy } from "../../api/lazy.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";

interface LanguageModelServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly trees: Trees;
  /** The extension's package.json. */
  readonly manifest: unknown;
}

const manifestShape = z.looseObject({
  contributes: z.looseObject({ languageModelTools: z.array(z.looseObject({ name: z.string() })) }),
});

/** Tools for language models: remote files, the cells of remote notebooks, and the selection. */
export const languageModel = defineFeature({
  commands: {},
  create: ({ registry, connections, trees, manifest }: LanguageModelServices) => {
    const { languageModelTools } = z.parse(manifestShape, manifest).contributes;
    const tools = lazy(async () =>
      (await import("./editor-tools.ts")).createEditorTools({
        registry,
        connections,
        selection: () => trees.selection,
      }),
    );
    const load = async (name: string): Promise<vscode.LanguageModelTool<unknown>> => {
      const tool = (await tools()).get(name);
      if (tool === undefined) {
        throw new Error(`there is no tool ${name}`);
      }
      return tool;
    };
    return {
      disposables: languageModelTools.map(({ name }) =>
        vscode.lm.registerTool(name, {
          prepareInvocation: async (options, token) => (await load(name)).prepareInvocation?.(options, token),
          invoke: async (options, token) => (await load(name)).invoke(options, token),
        }),
      ),
    };
  },
});
