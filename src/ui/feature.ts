import type * as vscode from "vscode";
import type { ContributedHandlers } from "./commands/command-runner.ts";
import type { CommandDeclarations } from "./commands/declaration.ts";
import type { DetailsContribution } from "./details/details.ts";
import type { DocumentSources } from "./documents/platform-documents.ts";
import type { TreeContribution } from "./tree/lazy-trees.ts";

/** The contributions of a feature to the workbench. Large parts load on first use. */
interface FeatureContribution<CommandId extends string> {
  /** Loads the handlers of its commands when the first one runs. */
  readonly handlers?: () => Promise<ContributedHandlers<CommandId>>;
  readonly tree?: TreeContribution;
  readonly details?: DetailsContribution;
  /** Its documents by kind; kinds are unique across features. */
  readonly documents?: DocumentSources;
  /** Registrations that the feature made itself. */
  readonly disposables?: readonly vscode.Disposable[];
}

/** A unit of functionality for users. `Services` are the shared parts that it needs. */
export interface Feature<Declarations extends CommandDeclarations, Services> {
  /** The declarations of its commands: plain data, from which the manifest is generated. */
  readonly commands: Declarations;
  /** Called once when the extension activates. Registers only what is needed from the start, and loads nothing. */
  readonly create: (services: Services) => FeatureContribution<Extract<keyof Declarations, string>>;
}

/** Declares a feature. The compiler requires a handler for each declared command. */
export function defineFeature<Declarations extends CommandDeclarations, Services>(
  feature: Feature<Declarations, Services>,
): Feature<Declarations, Services> {
  return feature;
}
