import type * as vscode from "vscode";
import type { CommandHandlers } from "./commands/command-runner.ts";
import type { CommandDeclarations } from "./commands/declaration.ts";
import type { DetailsContribution } from "./details/details.ts";
import type { DocumentSources } from "./documents/platform-documents.ts";
import type { TreeContribution } from "./tree/lazy-trees.ts";

/** The contributions of a feature to the workbench. Large parts load on first use. */
interface FeatureContribution<CommandId extends string> {
  /** Loads a handler for each of its commands; asked for with the first one that is run. */
  readonly handlers?: () => Promise<CommandHandlers<CommandId>>;
  readonly tree?: TreeContribution;
  readonly details?: DetailsContribution;
  /** Its documents by their kind, which no other feature has. */
  readonly documents?: DocumentSources;
  /** Registrations that the feature made itself. */
  readonly disposables?: readonly vscode.Disposable[];
}

/** Something that a person can do. `Services` is what it needs of the parts that all features share. */
export interface Feature<Declarations extends CommandDeclarations, Services> {
  /**
   * The declarations of its commands: pure data, from which the manifest is generated. The bundle has the ids alone
   * (scripts/build/bundle.ts), since titles and menus are in the manifest.
   */
  readonly commands: Declarations;
  /** Called once, when the extension activates: registers what has to be there from the start, and loads nothing. */
  readonly create: (services: Services) => FeatureContribution<Extract<keyof Declarations, string>>;
}

/** Declares a feature; the compiler demands a handler for each declared command. */
export function defineFeature<Declarations extends CommandDeclarations, Services>(
  feature: Feature<Declarations, Services>,
): Feature<Declarations, Services> {
  return feature;
}
