import { randomUUID } from "node:crypto";
import type { CommMessage } from "../connection/comms.ts";
import type { KernelConnection } from "../connection/connection.ts";
import { ReplyLostError } from "../connection/kernel-requests.ts";
import type { Fields } from "../wire/kernel-message.ts";
import { fieldsOf, textOf } from "../wire/message-codec.ts";
import { buffersByPath } from "./widget-buffers.ts";
import { stateIn, type WidgetModel } from "./widget-models.ts";

/** The comm target of widgets. */
export const widgetTarget = "jupyter.widget";
const controlTarget = "jupyter.widget.control";
const controlVersion = "1.0.0";
/** Limit of the widgets that are requested one by one, from kernels without the control target. */
const mostSingle = 1000;

/** The widgets of a kernel. `isComplete`: the kernel has no others. */
export interface WidgetStates {
  readonly models: readonly WidgetModel[];
  readonly isComplete: boolean;
}

const nothing: WidgetStates = { models: [], isComplete: false };

/**
 * Reads the states of all widgets of a kernel. Uses a subshell if the kernel supports them, so that a busy kernel
 * answers, too. ipywidgets before 7.7 is asked for each widget separately. Kernels without ipywidgets have no widgets.
 * Widgets that the kernel could not report because the connection broke are missing.
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
      // Nothing depends on the end of the subshell.
      connection.request("control", "delete_subshell_request", { subshell_id: subshell }).catch(() => {});
    }
  }
}

async function createSubshell(connection: KernelConnection): Promise<string | undefined> {
  const { content } = await connection.request("control", "create_subshell_request", {});
  return textOf(content.subshell_id) || undefined;
}

/** Undefined if the kernel does not have the control target. */
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
      // Not in the subshell, which is deleted now. For a message that it has not finished, Python would print a
      // complaint in a cell.
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

/**
 * Resolves when the kernel has handled all messages or will never receive them. All of its answers have arrived then.
 */
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
