import assert from "node:assert/strict";
import type { WidgetEvent, WidgetSession } from "../../../../src/api/kernels/widgets/widget-session.ts";
import type { MessageToPage, PageEvent } from "../../../../src/features/kernels/widgets/messages.ts";
import { pageEvent, readPageMessage } from "../../../../src/features/kernels/widgets/page-messages.ts";
import { WidgetPage } from "../../../../src/features/kernels/widgets/widget-page.ts";

describe("messages of a page with widgets", () => {
  const send = { type: "send", id: "1", commId: "a", data: { method: "update", state: {} }, buffers: ["AQI="] };

  it("are parsed without unknown members", () => {
    assert.deepEqual(readPageMessage({ page: "p", content: { ...send, more: 1 } }), { page: "p", content: send });
    assert.deepEqual(readPageMessage({ page: "p", content: { type: "ready" } }), {
      page: "p",
      content: { type: "ready" },
    });
    assert.deepEqual(readPageMessage({ page: "p", content: { type: "askText", commId: "a" } }), {
      page: "p",
      content: { type: "askText", commId: "a" },
    });
  });

  it("are ignored if they are invalid", () => {
    const long = "x".repeat(201);
    const many = Array.from({ length: 1001 }, () => "");
    for (const message of [
      ...[undefined, null, 1, "ready", [], {}, { page: "p" }, { content: { type: "ready" } }],
      ...[
        { page: long, content: { type: "ready" } },
        { page: "p", content: { type: "open" } },
      ],
      ...[
        { page: "p", content: { ...send, id: long } },
        { page: "p", content: { ...send, commId: 1 } },
      ],
      ...[
        { page: "p", content: { ...send, buffers: [1] } },
        { page: "p", content: { ...send, buffers: many } },
      ],
      { page: "p", content: { ...send, buffers: "AQI=" } },
    ]) {
      assert.equal(readPageMessage(message), undefined, JSON.stringify(message)?.slice(0, 100));
    }
  });

  it("accept only valid paths of binary values", () => {
    const data = { method: "update", state: {}, buffer_paths: [["__proto__", "x"], ["value"]] };
    const buffers = [Uint8Array.of(1), Uint8Array.of(2)];
    const comm = { type: "message", commId: "a", targetName: undefined, data, metadata: {}, buffers } as const;
    assert.deepEqual(pageEvent({ ...comm, parentId: undefined }, "7"), {
      type: "message",
      commId: "a",
      buffers: ["Ag=="],
      parent: "7",
      data: { method: "update", state: {}, buffer_paths: [["value"]] },
    });
  });
});

describe("a page with widgets", () => {
  const rig = () => {
    const posted: PageEvent[][] = [];
    const listeners = new Set<(event: WidgetEvent) => void>();
    const done: (() => void)[] = [];
    const session = {
      models: [{ commId: "a", state: { value: 1 }, buffers: [] }],
      listen: (listener: (event: WidgetEvent) => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      read: async () => {},
      send: (commId: string) => (commId === "a" ? "message-1" : undefined),
    } as unknown as WidgetSession;
    let isThere = true;
    let gone = 0;
    const page = new WidgetPage({
      post: (content: MessageToPage["content"]) => {
        if (content.type === "events") posted.push([...content.events]);
        return new Promise<boolean>((resolve) => done.push(() => resolve(isThere)));
      },
      onGone: () => {
        gone += 1;
      },
      onRefused: (error) => assert.fail(String(error)),
      onError: (error) => {
        throw error;
      },
      endedText: "ended",
    });
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) {
        await Promise.resolve();
        done.shift()?.();
      }
    };
    const emit = (event: WidgetEvent): void => {
      for (const listener of listeners) listener(event);
    };
    const close = (): void => {
      isThere = false;
    };
    return { page, posted, session, settle, emit, close, listeners, gone: () => gone };
  };
  const comm = (value: number, parentId?: string): WidgetEvent => ({
    type: "comm",
    message: {
      type: "message",
      commId: "a",
      targetName: undefined,
      metadata: {},
      buffers: [],
      parentId,
      data: { method: "update", state: { value } },
    },
  });

  it("receives all widgets first, then their events, with the ids that it assigned to its messages", async () => {
    const { page, posted, session, settle, emit } = rig();
    await page.attach(session);
    page.send("mine", "a", { method: "update" }, []);
    page.send("lost", "b", { method: "update" }, []);
    emit(comm(2, "message-1"));
    emit({ type: "handled", messageId: "message-1" });
    emit({ type: "handled", messageId: "another" });
    await settle();
    const events = posted.flat();
    assert.deepEqual(
      events.map(({ type }) => type),
      ["models", "complete", "handled", "message", "handled"],
    );
    assert.deepEqual(events[2], { type: "handled", id: "lost" });
    assert.equal(events[3]?.type === "message" && events[3].parent, "mine");
    assert.deepEqual(events[4], { type: "handled", id: "mine" });
  });

  it("receives the state of all widgets if it is too slow, without losing the end of a message", async () => {
    const { page, posted, session, settle, emit } = rig();
    await page.attach(session);
    page.send("mine", "a", { method: "update" }, []);
    await Promise.resolve();
    for (let value = 0; value < 5000; value += 1) emit(comm(value));
    emit({ type: "handled", messageId: "message-1" });
    await settle();
    const events = posted.flat();
    assert.ok(events.length < 2500, `${events.length} events`);
    assert.deepEqual(events.at(-1), { type: "handled", id: "mine" });
    assert.ok(events.filter(({ type }) => type === "models").length >= 2);
  });

  it("is notified when the kernel ended, and when its messages won't be handled", async () => {
    const { page, posted, session, settle, emit, listeners } = rig();
    await page.attach(session);
    page.send("mine", "a", { method: "update" }, []);
    emit({ type: "ended" });
    page.detach();
    await settle();
    assert.equal(listeners.size, 0);
    assert.deepEqual(posted.flat().slice(-2), [
      { type: "unavailable", text: "ended" },
      { type: "handled", id: "mine" },
    ]);
  });

  it("replaces its widgets with those of another kernel", async () => {
    const { page, posted, session, settle } = rig();
    await page.attach(session);
    await page.attach(session);
    const other = rig();
    await page.attach(other.session);
    await settle();
    assert.deepEqual(
      posted.flat().map(({ type }) => type),
      ["models", "complete", "unavailable", "models", "complete"],
    );
  });

  it("is removed when the editor no longer has it", async () => {
    const { page, settle, close, gone } = rig();
    close();
    page.push({ type: "complete" });
    await settle();
    assert.equal(gone(), 1);
  });
});
