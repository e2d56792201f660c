import { randomUUID } from "node:crypto";
import type { CommMessage, SentComm } from "../connection/comms.ts";
import type { KernelConnection } from "../connection/connection.ts";
import { ReplyLostError } from "../protocol/requests.ts";
import type { Fields } from "../wire/kernel-message.ts";
import { fieldsOf } from "../wire/message-codec.ts";
import { buffersByPath } from "./widget-buffers.ts";
import { stateIn, type WidgetModel } from "./widget-models.ts";

/** The comm target of widgets. */
export const widgetTarget = "jupyter.widget";
const controlTarget = "jupyter.widget.control";
const controlVersion = "1.0.0";
/** Maximum number of widgets that are requested one by one from kernels without the control target. */
const maxSingle = 1000;

/** The widgets of a kernel. `isComplete` is true if the kernel has no others. */
export interface WidgetStates {
  readonly models: readonly WidgetModel[];
  readonly isComplete: boolean;
}

const nothing: WidgetStates = { models: [], isComplete: false };

/**
 * Reads the states of all widgets of a kernel. Uses a subshell if the kernel supports them, so that a busy kernel
 * replies, too. With ipywidgets before 7.7, each widget is requested separately. Kernels without ipywidgets have no
 * widgets. If the connection breaks, widgets that the kernel has not reported yet are missing.
 */
export async function readWidgetStates(connection: KernelConnection): Promise<WidgetStates> {
  try {
    return (await readByControl(connection)) ?? (await readOneByOne(connection));
  } catch (error) {
    if (error instanceof ReplyLostError) {
      return nothing;
    }
    throw error;
  }
}

/** Undefined if the kernel does not have the control target. */
async function readByControl(connection: KernelConnection): Promise<WidgetStates | undefined> {
  const { features } = await connection.ready();
  const subshell = features.has("kernel subshells") ? await connection.createSubshell() : undefined;
  const commId = randomUUID();
  const message = { commId, targetName: controlTarget, buffers: [], subshell };
  let states: WidgetStates | undefined;
  let isRefused = false;
  const responses = connection.onComm((response) => {
    if (response.commId === commId) {
      isRefused ||= response.type === "close";
      states = response.data.method === "update_states" ? statesIn(response) : states;
    }
  });
  const requests = [
    { ...message, type: "open", data: {}, metadata: { version: controlVersion } },
    { ...message, type: "message", data: { method: "request_states" }, metadata: {} },
  ] as const;
  await allHandled(connection, requests);
  responses.dispose();
  // Without the states, the kernel may not have the comm, and Python would print a warning in a cell.
  const closing = states === undefined ? [] : [{ ...message, type: "close" as const, data: {}, metadata: {} }];
  void allHandled(connection, closing).then(() => {
    if (subshell !== undefined) {
      connection.deleteSubshell(subshell);
    }
  });
  return states ?? (isRefused ? undefined : nothing);
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

/**
 * Don't use a subshell: ipykernel 7.4 passes later messages of a widget to the subshell in which it last sent
 * something, even if that subshell was deleted.
 */
async function readOneByOne(connection: KernelConnection): Promise<WidgetStates> {
  const { content } = await connection.request("shell", "comm_info_request", { target_name: widgetTarget });
  const commIds = Object.keys(fieldsOf(content.comms)).slice(0, maxSingle);
  const models = new Map<string, WidgetModel>();
  const responses = connection.onComm(({ commId, data, buffers }) => {
    if (commIds.includes(commId) && data.method === "update") {
      models.set(commId, { commId, ...stateIn(data, buffers) });
    }
  });
  try {
    const message = { type: "message", targetName: undefined, metadata: {}, buffers: [] } as const;
    const data: Fields = { method: "request_state" };
    await allHandled(
      connection,
      commIds.map((commId) => ({ ...message, commId, data })),
    );
    return { models: [...models.values()], isComplete: false };
  } finally {
    responses.dispose();
  }
}

/**
 * Sends messages. Resolves when the kernel has handled all of them, or will never receive them. By then, all of its
 * replies have arrived.
 */
async function allHandled(connection: KernelConnection, messages: readonly SentComm[]): Promise<void> {
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
    for (const messageId of messages.map((message) => connection.sendComm(message))) {
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
