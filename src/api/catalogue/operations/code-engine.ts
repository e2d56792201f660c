import * as z from "zod/mini";
import { functionResult, functionRun, packageVersion } from "../models/code-engine.ts";
import { codeEnginePackage } from "../models/instance.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const parts = z.optional(z.string());

export const getCodeEnginePackage = defineOperation({
  id: "codeEngine.packages.get",
  section: "beyond",
  summary: "Read a code engine package with the parts in `parts`, such as versions and functions",
  method: "GET",
  path: "/api/codeengine/v2/packages/{packageId}",
  pathParameters: { packageId: given },
  queryParameters: { parts },
  body: z.undefined(),
  response: codeEnginePackage,
  credential: "platform",
  effect: "read",
  failure: "Can't read code engine package {packageId}",
  entity: "{packageId}",
  errors: { 404: { kind: "notFound" }, otherwise: { kind: "retrieval" } },
});

export const getCodeEngineVersion = defineOperation({
  id: "codeEngine.versions.get",
  section: "beyond",
  summary: "Read a version of a code engine package with the parts in `parts`, such as functions and code",
  method: "GET",
  path: "/api/codeengine/v2/packages/{packageId}/versions/{version}",
  pathParameters: { packageId: given, version: given },
  queryParameters: { parts },
  body: z.undefined(),
  response: packageVersion,
  credential: "platform",
  effect: "read",
  failure: "Can't read version {version} of code engine package {packageId}",
  entity: "{packageId}, version {version}",
  errors: { 404: { kind: "notFound" }, otherwise: { kind: "retrieval" } },
});

export const runCodeEngineFunction = defineOperation({
  id: "codeEngine.functions.run",
  section: "beyond",
  summary: "Run a function of a code engine package, and return its result",
  method: "POST",
  path: "/api/codeengine/v2/packages/{packageId}/versions/{version}/functions/{functionName}",
  pathParameters: { packageId: given, version: given, functionName: given },
  queryParameters: {},
  body: functionRun,
  response: functionResult,
  credential: "platform",
  effect: "run",
  failure: "Can't run function {functionName} of code engine package {packageId}",
  entity: "{packageId}, version {version}, function {functionName}",
  errors: { 404: { kind: "notFound" }, otherwise: { kind: "crud", word: "run" } },
});
