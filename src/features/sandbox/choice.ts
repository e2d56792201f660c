import type { Repository } from "../../api/catalogue/models/sandbox.ts";
import { getRepository } from "../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import type { PlatformTrees } from "../../composition/trees.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { chooseResource, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";

export interface SandboxCommandParts extends ResourceChoiceParts {
  readonly trees: PlatformTrees;
}

/** The repository that a command is about, as it is now. */
export interface ChosenRepository {
  readonly client: PlatformClient;
  readonly tenantId: string;
  readonly repositoryId: string;
  readonly name: string;
  readonly repository: Repository;
}

interface RowOfRepository {
  readonly of: { readonly resource: unknown };
}

/** The repository of a row, of what is below it, or the one that the person picks. Giving up throws. */
export async function chooseRepository(
  parts: SandboxCommandParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenRepository> {
  const own = isBelowRepository(argument) ? argument.of : argument;
  const named = namedResource(own);
  const { tenantId, id, name } = await chooseResource(parts, run, named?.type === "repository" ? named : undefined, {
    type: "repository",
    title,
  });
  const client = await parts.connections.platform(tenantId);
  const repository = await client.call(getRepository, { repositoryId: id });
  return { client, tenantId, repositoryId: id, name: repository.name ?? name, repository };
}

function isBelowRepository(argument: unknown): argument is RowOfRepository {
  return typeof argument === "object" && argument !== null && "of" in argument;
}
