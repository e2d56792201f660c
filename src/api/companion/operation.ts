import type * as z from "zod/mini";

/**
 * An operation of the companion, with the shapes of what is sent and received. What arrives is checked against them.
 * `push`: a message that arrives before the reply, or after it if the operation is a subscription.
 */
export interface CompanionOperation<
  Parameters extends z.ZodMiniType = z.ZodMiniType,
  Result extends z.ZodMiniType = z.ZodMiniType,
  Push extends z.ZodMiniType = z.ZodMiniType,
> {
  /** The name that the service is registered with in Python, such as `search.text`. */
  readonly name: string;
  readonly parameters: Parameters;
  readonly result: Result;
  readonly push: Push;
}

/** Declares an operation. Its shapes must have limits: for the length of texts, and for the number of items. */
export function defineCompanionOperation<
  Parameters extends z.ZodMiniType,
  Result extends z.ZodMiniType,
  Push extends z.ZodMiniType,
>(operation: CompanionOperation<Parameters, Result, Push>): CompanionOperation<Parameters, Result, Push> {
  return operation;
}

export type ParametersOf<Operation extends CompanionOperation> = z.input<Operation["parameters"]>;
export type ResultOf<Operation extends CompanionOperation> = z.output<Operation["result"]>;
export type PushOf<Operation extends CompanionOperation> = z.output<Operation["push"]>;
