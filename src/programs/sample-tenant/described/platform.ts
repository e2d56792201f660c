import type { CatalogueOperation } from "../../../api/catalogue/operations/catalogue.ts";
import { ErrorResponse, fieldsOf, type PlatformCall, type PlatformResponse } from "../platform/handler.ts";
import { type DescribedMode, describedQuery } from "./mode.ts";

type Shape = Readonly<Record<string, unknown>>;
type OperationId = CatalogueOperation["id"];

/** The call with only the described query parameters. Throws an ErrorResponse 400. */
export function describedCall(operation: CatalogueOperation, call: PlatformCall, mode: DescribedMode): PlatformCall {
  const found = describedQuery(operation, call.query, mode);
  if ("refused" in found) {
    throw new ErrorResponse(400, `Unknown query parameter ${found.refused}`);
  }
  const bodyOf = describedBodies[operation.id];
  return { ...call, query: found.query, body: bodyOf === undefined ? call.body : bodyOf(call) };
}

/**
 * The response with only the described fields in the described shapes. Parts that the description doesn't specify stay
 * unchanged.
 */
export function describedResponse(operation: CatalogueOperation, response: PlatformResponse): PlatformResponse {
  const shapeOf = describedShapes[operation.id];
  return shapeOf === undefined || !("body" in response) ? response : { ...response, body: shapeOf(response.body) };
}

/** An update replaces the described members and keeps the others. */
const describedBodies: Readonly<Partial<Record<OperationId, (call: PlatformCall) => unknown>>> = {
  "workspaces.update": ({ body, parameters, workspaces }) => ({
    ...workspaces.find(parameters.get("workspaceId") ?? "")?.configuration,
    ...fieldsOf(body),
  }),
};

/** The described responses by operation (2.4 to 2.7, 2.10). */
const describedShapes: Readonly<Partial<Record<OperationId, (body: unknown) => unknown>>> = {
  "workspaces.settings.get": (body) => {
    const settings = fieldsOf(body);
    return {
      ...picked(settings, [
        "instanceTypes",
        "isEnabled",
        "currentUserInstanceTypes",
        "notebookKernels",
        "locale",
        "timeZone",
        "maintenance",
      ]),
      limits: keyed(settings.limits, "resourceType"),
      userAccess: { mode: settings.userAccess },
      featureFlags: Object.fromEntries(listOf(settings.featureFlags).map((flag) => [String(flag), true])),
    };
  },
  "workspaces.namespace.get": (body) => picked(fieldsOf(body), ["name"]),
  "workspaces.get": workspaceShape,
  "workspaces.update": workspaceShape,
  "designs.get": designShape,
  "designs.list": (body) => listOf(body).map(designShape),
  "designs.versions.list": (body) => listOf(body).map(versionShape),
  "sandbox.repositories.get": repositoryShape,
};

/** A workspace (2.5). The description doesn't include whether it is running. */
function workspaceShape(body: unknown): Shape {
  const workspace = fieldsOf(body);
  return {
    ...picked(workspace, ["id", "cpu", "memory", "notebookKernel", "instanceTypes"]),
    inputConfiguration: keyed(workspace.inputConfiguration, "alias"),
    outputConfiguration: keyed(workspace.outputConfiguration, "alias"),
  };
}

/** A design (2.7). */
function designShape(body: unknown): Shape {
  const design = fieldsOf(body);
  return {
    ...picked(design, ["id", "name", "creator", "thumbnail", "cards"]),
    ...(design.owners === undefined
      ? {}
      : { owners: listOf(design.owners).map((owner) => picked(fieldsOf(owner), ["id", "role", "roleId"])) }),
    ...(design.versions === undefined ? {} : { versions: listOf(design.versions).map(versionShape) }),
  };
}

/** A design's version (2.7). */
function versionShape(body: unknown): Shape {
  return picked(fieldsOf(body), ["version", "createdAt"]);
}

/** A repository (2.10): without its deployments. The description doesn't specify the names of its fields. */
function repositoryShape(body: unknown): Shape {
  const { deployments: _deployments, ...repository } = fieldsOf(body);
  return repository;
}

function picked(fields: Shape, names: readonly string[]): Shape {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/** Converts a list to an object, keyed by a member of its items. Objects stay unchanged. */
function keyed(value: unknown, member: string): unknown {
  if (!Array.isArray(value)) {
    return value ?? {};
  }
  return Object.fromEntries(
    value.map(fieldsOf).map(({ [member]: key, ...rest }, index) => [String(key ?? index), rest]),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
