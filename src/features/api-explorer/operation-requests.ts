import type * as vscode from "vscode";
import * as z from "zod/mini";
import { accountKeys, typedKeys } from "../../tenants/stored-account-state.ts";
import type { OperationPlace } from "./operation-documents.ts";

/** A run of an operation: its place, and its parameters as strings. */
export interface OperationRequest extends OperationPlace {
  readonly parameters: Readonly<Record<string, string>>;
  /** True to show the raw response, regardless of its status (the description's `return_raw`). */
  readonly isRaw: boolean;
}

/** A past run: the time (ISO 8601), the status of its response, and its body if it is short. */
export interface PastRequest extends OperationRequest {
  readonly when: string;
  readonly status: number | undefined;
  readonly body: string | undefined;
}

const historyLength = 20;
const maxBodyLength = 10_000;

const kept = z.array(
  z.object({
    tenantId: z.string(),
    workspaceId: z.string(),
    operationId: z.string(),
    when: z.string(),
    parameters: z.record(z.string(), z.string()),
    status: z.optional(z.number()),
    body: z.optional(z.string()),
    isRaw: z._default(z.boolean(), false),
  }),
);

/** Stored runs: the last run of each operation, the last 20 runs of all, and the last choices. */
export class OperationRequests {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The parameters of the operation's last run there. */
  parametersOf(place: OperationPlace): Readonly<Record<string, string>> {
    return this.#last()[requestKey(place)] ?? {};
  }

  /** True if the last run of the operation showed the raw response. */
  isRaw(place: OperationPlace): boolean {
    return this.#raw().includes(requestKey(place));
  }

  async begin(request: OperationRequest): Promise<void> {
    await this.#state.update(accountKeys.operationParameters, {
      ...this.#last(),
      [requestKey(request)]: request.parameters,
    });
    const others = this.#raw().filter((key) => key !== requestKey(request));
    await this.#state.update(accountKeys.operationsSentRaw, request.isRaw ? [...others, requestKey(request)] : others);
    const own = Object.entries(request.parameters).flatMap(([name, text]) => [
      [`${request.operationId} ${name}`, text],
      [name, text],
    ]);
    await this.#state.update(typedKeys.operationChoices, { ...this.#choices(), ...Object.fromEntries(own) });
  }

  /** The last value of a parameter in this operation, or in another operation that has a parameter with this name. */
  lastChoice(operationId: string, name: string): string | undefined {
    const choices = this.#choices();
    return choices[`${operationId} ${name}`] ?? (name === "id" ? undefined : choices[name]);
  }

  /** The last runs, the most recent first. */
  get history(): readonly PastRequest[] {
    const parsed = z.safeParse(kept, this.#state.get<unknown>(accountKeys.operationHistory));
    return parsed.success ? parsed.data.map((one) => ({ ...one, status: one.status, body: one.body })) : [];
  }

  async remember(past: PastRequest): Promise<void> {
    const { body, ...rest } = past;
    const entry = { ...rest, ...(body === undefined || body.length > maxBodyLength ? {} : { body }) };
    const others = this.history.filter((one) => !isSameRun(one, past));
    await this.#state.update(accountKeys.operationHistory, [entry, ...others].slice(0, historyLength));
  }

  #last(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return this.#state.get<Readonly<Record<string, Readonly<Record<string, string>>>>>(
      accountKeys.operationParameters,
      {},
    );
  }

  #raw(): readonly string[] {
    return this.#state.get<readonly string[]>(accountKeys.operationsSentRaw, []);
  }

  #choices(): Readonly<Record<string, string>> {
    return this.#state.get<Readonly<Record<string, string>>>(typedKeys.operationChoices, {});
  }
}

function isSameRun(one: PastRequest, other: PastRequest): boolean {
  const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
  return (
    requestKey(one) === requestKey(other) &&
    same(one.parameters, other.parameters) &&
    one.body === other.body &&
    one.isRaw === other.isRaw
  );
}

function requestKey({ tenantId, workspaceId, operationId }: OperationPlace): string {
  return `${tenantId}/${workspaceId}/${operationId}`;
}
