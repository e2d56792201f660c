import assert from "node:assert/strict";
import type { ExecutionSink } from "../../src/api/kernels/executions/executions.ts";
import type { Effect } from "../../src/api/kernels/protocol/effect.ts";
import type { Input } from "../../src/api/kernels/protocol/input.ts";
import { KernelProtocol, type ProtocolOptions } from "../../src/api/kernels/protocol/kernel-protocol.ts";
import type { IncomingMessage } from "../../src/api/kernels/wire/kernel-message.ts";
import { explore } from "./explore.ts";
import { windowsOf } from "./simulated-window.ts";

/** Number of schedules within which each fault is found. Most need far fewer. */
const maxSchedules = 10_000;

/** A protocol that gets other inputs, or whose effects are changed. */
function faulty(change: {
  readonly input?: (input: Input) => Input | undefined;
  readonly effects?: (effects: readonly Effect[]) => readonly Effect[];
}): (options: ProtocolOptions, now: number) => KernelProtocol {
  const { input: changed = (input) => input, effects = (same) => same } = change;
  return (options, now) =>
    new (class extends KernelProtocol {
      override handle(input: Input, at: number): readonly Effect[] {
        const taken = changed(input);
        return taken === undefined ? [] : effects(super.handle(taken, at));
      }
    })(options, now);
}

/** Changes or drops each message from the kernel. */
const messages =
  (change: (message: IncomingMessage) => IncomingMessage | undefined) =>
  (input: Input): Input =>
    input.type === "messages"
      ? { ...input, messages: input.messages.flatMap((message) => change(message) ?? []) }
      : input;

const faults: Readonly<Record<string, ReturnType<typeof faulty>>> = {
  "requests to execute are sent twice": faulty({
    effects: (effects) =>
      effects.flatMap((effect): readonly Effect[] => (effect.type === "send" ? [effect, effect] : [effect])),
  }),
  "the numbers of published messages are ignored": faulty({
    input: messages((message) => {
      const { publishedNumber: _, ...header } = message.header;
      return { ...message, header };
    }),
  }),
  "the server's notices are ignored": faulty({
    input: messages((message) => (String(message.content.text).startsWith("IOPub") ? undefined : message)),
  }),
  "the answers of users are dropped": faulty({
    input: (input) => (input.type === "inputReply" ? undefined : input),
  }),
  "sockets without a sign of life are kept": faulty({
    input: (input) => (input.type === "timer" ? { ...input, bytesReceived: input.timer } : input),
  }),
  "the kernel's idle status is ignored": faulty({
    input: messages((message) => (message.content.execution_state === "idle" ? undefined : message)),
  }),
  "announcements of a restart are ignored, and all processes seem to be the same": faulty({
    input: messages((message) =>
      message.header.msg_type === "shutdown_reply" || message.content.execution_state === "restarting"
        ? undefined
        : {
            ...message,
            header: { ...message.header, session: message.header.session.replace(/^kernel\d+$/, "kernel") },
          },
    ),
  }),
  "messages that arrive together are taken in the wrong order": faulty({
    input: (input) => (input.type === "messages" ? { ...input, messages: input.messages.toReversed() } : input),
  }),
  "the journal lacks the entries that are appended": faulty({
    effects: (effects) =>
      effects.map((effect) =>
        effect.type === "writeJournal" && effect.write.type === "append"
          ? { ...effect, write: { ...effect.write, entries: [] } }
          : effect,
      ),
  }),
  "notes about missing output are dropped": faulty({
    effects: (effects) =>
      effects.map((effect) =>
        effect.type === "deliver"
          ? { ...effect, executions: effect.executions.map((one) => ({ ...one, sink: withoutGaps(one.sink) })) }
          : effect,
      ),
  }),
};

function withoutGaps(sink: ExecutionSink): ExecutionSink {
  return { onEvents: (events) => sink.onEvents(events.filter(({ type }) => type !== "gap")) };
}

describe("A fault in the kernel protocol", () => {
  for (const [name, make] of Object.entries(faults)) {
    it(`is found: ${name}`, () => {
      const finding = explore(161, { count: maxSchedules }, windowsOf(make));
      assert.ok(finding !== undefined, `no schedule of ${maxSchedules} fails`);
      console.log(`      schedule ${finding.tried}: ${finding.invariant}`);
    });
  }
});
