import * as z from "zod/mini";
import type { Fields } from "../kernels/wire/kernel-message.ts";

/** Maximum size of a message from the kernel's debugger, in bytes. */
export const maxMessageBytes = 8 * 1024 * 1024;

const sequence = z.int();
const body = z.optional(z.nullable(z.record(z.string(), z.unknown())));

/** A request of the editor (Debug Adapter Protocol). */
export const debugRequest = z.object({
  type: z.literal("request"),
  seq: sequence,
  command: z.string().check(z.maxLength(100)),
  arguments: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});

/** A reply of the kernel. Some have no sequence number. */
export const debugReply = z.object({
  type: z.literal("response"),
  success: z.boolean(),
  message: z.optional(z.nullable(z.string())),
  body,
});

/** An event of the kernel. */
export const debugEvent = z.object({
  type: z.literal("event"),
  event: z.string().check(z.maxLength(100)),
  body,
});

export type DebugRequest = z.output<typeof debugRequest>;

/** The result of a request: its body, or why it failed. */
export type DebugResult =
  | { readonly success: true; readonly body?: Fields }
  | { readonly success: false; readonly message: string };

export interface DebugEvent {
  readonly event: string;
  readonly body: Fields;
}

/** A message to the editor, without its sequence number. */
export type DebugOutput =
  | { readonly type: "response"; readonly request: DebugRequest; readonly result: DebugResult }
  | { readonly type: "event"; readonly event: string; readonly body: Fields };
