import * as z from "zod/mini";

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());
const id = z.nullish(z.union([z.number(), z.string()]));

/** A parameter or the result of a function. `type` is `text`, `number`, `boolean`, `object`, and the like. */
const functionValue = z.looseObject({
  name: text,
  displayName: text,
  type: text,
  isList: flag,
  nullable: flag,
  value: z.optional(z.unknown()),
});

/** A function of a package's version. */
const packageFunction = z.looseObject({
  name: text,
  displayName: text,
  description: text,
  isPrivate: flag,
  inputs: z.nullish(z.array(functionValue)),
  output: z.nullish(functionValue),
});

/** A version of a package; `code` and `functions` only if they were requested. `released` is a time, or null. */
export const packageVersion = z.looseObject({
  packageId: id,
  version: text,
  description: text,
  released: z.optional(z.unknown()),
  createdBy: id,
  createdOn: id,
  updatedBy: id,
  updatedOn: id,
  code: text,
  functions: z.nullish(z.array(packageFunction)),
});

/** Values for a run of a function, by the names of its parameters. */
export const functionRun = z.looseObject({
  inputVariables: z._default(z.record(z.string(), z.unknown()), {}),
  settings: z.optional(z.looseObject({ getLogs: z.optional(z.boolean()) })),
});

/** The end of a run: `status` is `SUCCESS` or says why the function failed. */
export const functionResult = z.looseObject({
  status: text,
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  logs: z.optional(z.unknown()),
});

export type FunctionValue = z.output<typeof functionValue>;
export type PackageFunction = z.output<typeof packageFunction>;
export type PackageVersion = z.output<typeof packageVersion>;
export type FunctionResult = z.output<typeof functionResult>;
