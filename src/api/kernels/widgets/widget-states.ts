import { randomUUID } from "node:crypto";
import type { CommMessage } from "../connection/comms.ts";
import type { KernelConnection } from "../connection/connection.ts";
import { ReplyLostError } from "../connection/kernel-requests.ts";
import type { Fields } from "../wire/kernel-message.ts";
import { fieldsOf, textOf } from "../wire/message-codec.ts";
import { buffersByPath } from "./widget-buffers.ts";
import { stateIn, type WidgetModel } from "./widget-models.ts";

/** The kind of comm that a widget has. */
export const widgetTarget = "jupyter.widget";
const controlTarget = "jupyter.widget.control";
const controlVersion = "1.0.0";
/** Widgets of a kernel without the control target, which are asked for one by one. */
const mostSingle = 1000;

/** The widgets of a kernel. `isComplete`: it has no others. */
export interface WidgetStates {
  readonly models: readonly WidgetModel[];
  readonly isComplete: boolean;
}

const nothing: WidgetStates = { models: [], isComplete: false };

/**
 * Asks a kernel for the states of all of its widgets, in a thread of its own where the kernel has that, so that a busy
 * kernel answers, too. Kernels without ipywidgets have none; ipywidgets before 7.7 is asked for each. What the kernel did
 * not answer, because the connection broke, is not among them.
 */
export async function readWidgetStates(connection: KernelConnection): Promise<WidgetStates> {
  const { features } = await connection.ready();
  const subshell = features.has("kernel subshells") ? await createSubshell(connection) : undefined;
  try {
    const states = await readByControl(connection, subshell);
    return states ?? (await readOneByOne(connection, subshell));
  } catch (error) {
    if (error instanceof ReplyLostError) {
      return nothing;
    }
    throw error;
  } finally {
    if (subshell !== undefined) {
      // Nobody waits for the end of a thread.
      connection.request("control", "delete_subshell_request", { subshell_id: subshell }).catch(() => {});
    }
  }
}

async function createSubshell(connection: KernelConnection): Promise<string | undefined> {
  const { content } = await connection.request("control", "create_subshell_request", {});
  return textOf(content.subshell_id) || undefined;
}

/** Undefined where the kernel has no such target. */
async function readByControl(
  connection: KernelConnection,
  subshell: string | undefined,
): Promise<WidgetStates | undefined> {
  const commId = randomUUID();
  const message = { commId, targetName: controlTarget, buffers: [], subshell };
  let states: WidgetStates | undefined;
  let isRefused = false;
  const answers = connection.onComm((answer) => {
    if (answer.commId === commId) {
      isRefused ||= answer.type === "close";
      states = answer.data.method === "update_states" ? statesIn(answer) : states;
    }
  });
  try {
    const requests = [
      { ...message, type: "open" as const, data: {}, metadata: { version: controlVersion } },
      { ...message, type: "message" as const, data: { method: "request_states" }, metadata: {} },
    ];
    await allHandled(connection, () => requests.map((request) => connection.sendComm(request)));
    if (!isRefused) {
      // Not in the subshell, which is deleted now: what it has not finished then, Python complains about in a cell.
      connection.sendComm({ ...message, type: "close", data: {}, metadata: {}, subshell: undefined });
    }
    return states ?? (isRefused ? undefined : nothing);
  } finally {
    answers.dispose();
  }
}

function statesIn({ data, buffers }: CommMessage): WidgetStates {
  const found = buffersByPath(data.buffer_paths, buffers);
  const models = Object.entries(fieldsOf(data.states)).map(([commId, widget]) => ({
    commId,
    state: fieldsOf(fieldsOf(widget).state),
    buffers: found.flatMap(({ path: [owner, member, ...path], data: bytes }) =>
      owner === commId && member === "state" && path.length > 0 ? [{ path, data: bytes }] : [],
    ),
  }));
  return { models, isComplete: true };
}

async function readOneByOne(connection: KernelConnection, subshell: string | undefined): Promise<WidgetStates> {
  const { content } = await connection.request("shell", "comm_info_request", { target_name: widgetTarget });
  const commIds = Object.keys(fieldsOf(content.comms)).slice(0, mostSingle);
  const models = new Map<string, WidgetModel>();
  const answers = connection.onComm(({ commId, data, buffers }) => {
    if (commIds.includes(commId) && data.method === "update") {
      models.set(commId, { commId, ...stateIn(data, buffers) });
    }
  });
  try {
    const data: Fields = { method: "request_state" };
    await allHandled(connection, () =>
      commIds.map((commId) =>
        connection.sendComm({
          type: "message",
          commId,
          targetName: undefined,
          data,
          metadata: {},
          buffers: [],
          subshell,
        }),
      ),
    );
    return { models: [...models.values()], isComplete: false };
  } finally {
    answers.dispose();
  }
}

/** Resolves when the kernel is done with the messages, or will never get them: what it answers has arrived then. */
async function allHandled(connection: KernelConnection, send: () => readonly string[]): Promise<void> {
  const done = Promise.withResolvers<void>();
  const waiting = new Set<string>();
  const handled = new Set<string>();
  const listening = connection.onCommHandled((messageId) => {
    handled.add(messageId);
    if (waiting.delete(messageId) && waiting.size === 0) {
      done.resolve();
    }
  });
  try {
    for (const messageId of send()) {
      if (!handled.has(messageId)) {
        waiting.add(messageId);
      }
    }
    if (waiting.size > 0) {
      await done.promise;
    }
  } finally {
    listening.dispose();
  }
}
