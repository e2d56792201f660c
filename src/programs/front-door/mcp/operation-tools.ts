import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { catalogue } from "../../../api/catalogue/operations/catalogue.ts";
import type { Client, RawResponse } from "../../../api/client/client.ts";
import { masked } from "../../../api/http/confidential.ts";
import type { CredentialKind } from "../../../api/http/credentials.ts";
import { parseExactInTurns } from "../../../api/http/json.ts";
import { turnFor } from "../../../api/turns.ts";
import type { Toolset } from "../config/configuration.ts";
import { toolsets } from "../config/settings.ts";
import { checkInput, outcomeOf } from "./operation-call.ts";
import { type ToolPaging, toolPagingOf, withPage } from "./operation-paging.ts";
import { responseRemark } from "./response-remark.ts";
import type { Arguments, Tool, ToolClients, ToolPageRequest, ToolResponse } from "./tool.ts";
import { isIdempotent, listedTool, operationInputSchema, ownArguments, toolNameOf } from "./tool-definition.ts";

/** Operations with a custom tool instead of a generated one. */
const withOwnTools: ReadonlySet<string> = new Set(["contents.get", "contents.update", "designs.versions.assets"]);

/** One tool for each operation that a remote caller can use: all except those of the internal service. */
export function operationTools(): readonly Tool[] {
  return catalogue
    .filter((operation: AnyOperation) => operation.credential !== "internal" && !withOwnTools.has(operation.id))
    .map((operation: AnyOperation) => operationTool(operation));
}

/** The toolset of an operation: the family in its id, or `reads` for other operations. */
function toolsetOf({ id }: AnyOperation): Toolset {
  return toolsets.find((toolset) => toolset === id.split(".")[0]) ?? "reads";
}

function operationTool(operation: AnyOperation): Tool {
  const paging = toolPagingOf(operation);
  const { id, summary, method, effect } = operation;
  return {
    listed: listedTool({
      name: toolNameOf(id),
      summary,
      remarks: [responseRemark(operation)],
      effect,
      isIdempotent: isIdempotent(method, effect, id),
      inputSchema: operationInputSchema(operation, paging),
    }),
    toolset: toolsetOf(operation),
    effect,
    check: (given) => {
      checkInput(operation, inputOf(operation, paging, given, firstPage(given)));
    },
    run: (given, page, clients) => run(operation, paging, given, page, clients),
  };
}

function firstPage(given: Arguments): ToolPageRequest {
  const { limit } = given;
  return { position: { offset: 0, skip: 0 }, limit: typeof limit === "number" ? limit : undefined };
}

/** The operation's input for a tool's arguments and a page. */
function inputOf(
  operation: AnyOperation,
  paging: ToolPaging | undefined,
  given: Arguments,
  page: ToolPageRequest,
): Arguments {
  const own = Object.fromEntries(
    Object.entries(ownArguments(given)).filter(
      ([name]) =>
        (name !== "workspaceId" || operation.pathParameters.workspaceId !== undefined) &&
        (name !== "limit" || paging === undefined),
    ),
  );
  const limit = limitOf(paging, page);
  return paging === undefined || limit === undefined ? own : withPage(paging, own, limit, page.position.offset);
}

/** The number of items to request; undefined to request all. */
function limitOf(paging: ToolPaging | undefined, { limit, position }: ToolPageRequest): number | undefined {
  const isAsked = paging?.isAlways === true || limit !== undefined || position.offset > 0;
  return paging === undefined || !isAsked ? undefined : (limit ?? paging.pageSize);
}

async function run(
  operation: AnyOperation,
  paging: ToolPaging | undefined,
  given: Arguments,
  page: ToolPageRequest,
  clients: ToolClients,
): Promise<ToolResponse> {
  const client = await clientFor(operation, given, clients);
  // A platform that is not known to support paging for this list returns all of it at once.
  const isPaged = paging?.place !== "query" || client.accepts(operation, paging.offset);
  const used = isPaged ? paging : undefined;
  const input = inputOf(operation, used, given, page);
  const { outcome, response } = await outcomeOf(client, operation, input, clients.signal);
  const size = response?.body.byteLength ?? 0;
  await turnFor(size);
  const value = await responseValue(operation, response);
  await turnFor(size);
  if (!outcome.successful || outcome.text !== undefined) {
    const { successful, text } = outcome;
    const content = outcome.successful ? { response: value } : { status: outcome.status };
    return { value: { successful, text, ...content }, facts: { limit: undefined, total: undefined }, isContent: false };
  }
  return { value, facts: { limit: limitOf(used, page), total: totalOf(value) }, isContent: false };
}

async function clientFor(
  operation: AnyOperation,
  given: Arguments,
  clients: ToolClients,
): Promise<Client<CredentialKind>> {
  const client =
    operation.credential === "notebook" ? await clients.content(String(given.workspaceId)) : await clients.platform();
  // Each request of the client checks that its kind matches the operation.
  return client as Client<CredentialKind>;
}

/**
 * The response as a value. Numbers keep all of their digits, and confidential members are masked. Bytes are in base64.
 */
async function responseValue(operation: AnyOperation, response: RawResponse | undefined): Promise<unknown> {
  if (response === undefined) {
    return null;
  }
  if (operation.responseFormat === "bytes") {
    const contentType = response.headers["content-type"] ?? "application/octet-stream";
    return { contentType, size: response.body.byteLength, base64: Buffer.from(response.body).toString("base64") };
  }
  await turnFor(response.body.byteLength);
  const text = new TextDecoder().decode(response.body);
  if (text.trim() === "") {
    return null;
  }
  await turnFor(text.length);
  try {
    return masked(await parseExactInTurns(text), operation.confidential ?? []);
  } catch {
    return operation.confidential === undefined ? text : "[redacted]";
  }
}

/** The total number of items, which platforms report under different names. */
function totalOf(value: unknown): number | undefined {
  const inner = memberOf(value, "pageContext");
  const candidates = [memberOf(inner, "totalCount"), memberOf(value, "totalCount"), memberOf(value, "totalPageCount")];
  return candidates.find((candidate): candidate is number => typeof candidate === "number");
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
