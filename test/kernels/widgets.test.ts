import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { type WidgetEvent, WidgetSession } from "../../src/api/kernels/widgets/widget-session.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, MemoryJournal, run, startRig } from "./rig.ts";

describe("Widgets of a kernel", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let connection: KernelConnection;
  let session: WidgetSession;

  before(async () => {
    rig = await startRig();
    connection = await rig.connect(await rig.startKernel());
    session = sessionOf(connection);
  });
  after(async () => {
    session.dispose();
    await rig.stop();
  });

  it("stores the widgets that the kernel opens, and sends a slider's value to Python and back", async () => {
    await run(
      connection,
      "import ipywidgets as w, time\nslider = w.IntSlider(value=3, max=20)\nslider.observe(lambda c: print('moved', c.new), 'value')",
    );
    const commId = await idOf(session, "IntSliderModel");
    await reaches(session, commId, { value: 3 });
    const events = eventsOf(session);
    const messageId = session.send(commId, { method: "update", state: { value: 7 }, buffer_paths: [] }, []);
    await until("the end of the message", () =>
      events.some((event) => event.type === "handled" && event.messageId === messageId),
    );
    assert.equal(await printed(connection, "print(slider.value)"), "7\n");
    await run(connection, "slider.value = 11");
    await reaches(session, commId, { value: 11 });
    assert.ok(events.some((event) => event.type === "comm" && event.message.data.method === "update"));
  });

  it("shows the output of a callback below the cell that created the widget", async () => {
    const cell = await run(connection, "button = w.Button()\nbutton.on_click(lambda b: print('clicked'))\nbutton");
    await run(connection, "'another cell'");
    const commId = await idOf(session, "ButtonModel");
    session.send(commId, { method: "custom", content: { event: "click" } }, []);
    await until("the callback's output", () => cell.text() === "clicked\n");
  });

  it("sends buffers both ways", async () => {
    await run(connection, "image = w.Image(value=bytes([1, 2, 3]), format='png')");
    const commId = await idOf(session, "ImageModel");
    const model = session.models.find((candidate) => candidate.commId === commId);
    assert.deepEqual(
      model?.buffers.map(({ path, data }) => [path, [...data]]),
      [[["value"], [1, 2, 3]]],
    );
    const data = { method: "update", state: {}, buffer_paths: [["value"]] };
    session.send(commId, data, [new Uint8Array([9, 8])]);
    assert.equal(await printed(connection, "print(list(bytes(image.value)))"), "[9, 8]\n");
  });

  it("sends nothing to an unknown widget, and opens none", async () => {
    assert.equal(session.send("no-such-widget", { method: "update", state: {} }, []), undefined);
    const commId = await idOf(session, "IntSliderModel");
    assert.equal(session.send(commId, { method: "request_state" }, []), undefined);
  });

  it("finds the widgets that an earlier window created, even while a cell runs", async () => {
    await run(connection, "import threading\nfree = threading.Event()");
    const busy = new Cell("free.wait(30)");
    const [execution] = await connection.execute([busy.request()]);
    await until("the running cell", () => busy.of("started").length > 0);
    const second = await rig.connect(connection.kernelId);
    const later = sessionOf(second);
    await later.read();
    const commId = await idOf(later, "IntSliderModel");
    assert.equal(stateOf(later, commId).value, 11);
    const imageId = await idOf(later, "ImageModel");
    const image = later.models.find((candidate) => candidate.commId === imageId);
    assert.deepEqual(
      image?.buffers.map(({ path }) => path),
      [["value"]],
    );
    assert.notEqual(execution?.phase, "ended");
    later.dispose();
    second.dispose();
    await connection.interrupt();
    await execution?.ended;
    assert.equal(busy.text("stderr"), "");
  });

  it("reads the kernel's states after the connection broke, and sends values that were changed meanwhile", async () => {
    const commId = await idOf(session, "IntSliderModel");
    const events = eventsOf(session);
    await reconnect(rig, connection, () => {
      session.send(commId, { method: "update", state: { value: 15 }, buffer_paths: [] }, []);
    });
    await until("the states after the loss", () => events.some(({ type }) => type === "models"));
    assert.equal(await printed(connection, "print(slider.value)"), "15\n");
    await reaches(session, commId, { value: 15 });
  });

  it("captures the outputs of an Output widget, and sends them to the kernel", async () => {
    const cell = await run(
      connection,
      "out = w.Output()\nprint('before')\nwith out:\n    print('inside')\n    display({'text/plain': 'shown'}, raw=True)\nprint('after')",
    );
    await until("the output of the cell", () => cell.text() === "before\nafter\n");
    const commId = await idOf(session, "OutputModel");
    await reaches(session, commId, {
      outputs: [
        { output_type: "stream", name: "stdout", text: "inside\n" },
        { output_type: "display_data", data: { "text/plain": "shown" }, metadata: {} },
      ],
    });
    assert.equal(cell.of("display").length, 0);
    const known = async (): Promise<string> => await printed(connection, "print(len(out.outputs))");
    let length = "";
    for (let attempt = 0; length !== "2\n" && attempt < 100; attempt += 1) length = await known();
    assert.equal(length, "2\n");
    await run(connection, "with out:\n    from IPython.display import clear_output\n    clear_output()\n    1 / 0");
    await until("the error in the widget", () => {
      const { outputs } = stateOf(session, commId);
      return Array.isArray(outputs) && outputs.length === 1 && outputs[0]?.output_type === "error";
    });
  });

  it("captures outputs of a cell that was sent during a reconnect", async () => {
    await reconnect(rig, connection);
    const cell = await run(
      connection,
      "late = w.Output()\nwith late:\n    print('one')\n    time.sleep(0.3)\n    print('two')",
    );
    const outputs = [{ output_type: "stream", name: "stdout", text: "one\ntwo\n" }];
    await until("the caught outputs", () =>
      session.models.some(({ state }) => isDeepStrictEqual(state.outputs, outputs)),
    );
    assert.equal(cell.text(), "");
  });

  it("handles a widget's values while an asynchronous cell runs, and sends each output to Python", async () => {
    const commId = await idOf(session, "IntSliderModel");
    const cell = new Cell(
      [
        "import asyncio",
        "caught = w.Output()",
        "heard = lambda: len(caught.outputs[0]['text'].split()) if caught.outputs else 0",
        // Later values of the slider can overtake outputs on their way to Python.
        "while slider.value < 18 or heard() <= 5:",
        "    with caught:",
        "        print(slider.value)",
        "    await asyncio.sleep(0.1)",
        "print('heard')",
      ].join("\n"),
    );
    const [execution] = await connection.execute([cell.request()]);
    await until("the running cell", () => cell.of("started").length > 0);
    const events = eventsOf(session);
    for (const value of [16, 17]) {
      const id = session.send(commId, { method: "update", state: { value }, buffer_paths: [] }, []);
      await until(`the end of the message with ${value}`, () =>
        events.some((event) => event.type === "handled" && event.messageId === id),
      );
      assert.notEqual(execution?.phase, "ended");
    }
    const caught = (): string =>
      session.models.map(({ state }) => JSON.stringify(state.outputs ?? [])).find((text) => text.includes("17\\n")) ??
      "";
    await until("some outputs", () => caught().split("17\\n").length > 6);
    session.send(commId, { method: "update", state: { value: 18 }, buffer_paths: [] }, []);
    await execution?.ended;
    await until("the output of the cell", () => cell.text().endsWith("\n"));
    assert.equal(cell.text(), "heard\n");
  });

  it("causes no output in a cell by reading widgets or losing connections", async () => {
    for (let round = 0; round < 20; round += 1) {
      const events = eventsOf(session);
      await reconnect(rig, connection);
      if (round % 2 === 0) {
        await until("the states", () => events.some(({ type }) => type === "models"));
      }
    }
    const cell = await run(connection, "import gc\n_ = gc.collect()\nprint('collected')");
    await until("the output of the cell", () => cell.text().endsWith("\n"));
    assert.equal(cell.text("stderr"), "");
    // A subshell is deleted without waiting for its end. One whose ID was lost with the connection remains, but at most
    // every second interruption came that early.
    const count = "print(len([t for t in threading.enumerate() if t.name.startswith('subshell-')]))";
    const counts: number[] = [];
    do {
      counts.push(Number(await printed(connection, `import threading\n${count}`)));
    } while ((counts.at(-1) ?? 0) >= 10 && counts.length < 100);
    assert.ok((counts.at(-1) ?? 0) < 10, counts.join(", "));
  });

  it("doesn't show captured outputs in the cell in another window", async () => {
    const kernelId = await rig.startKernel();
    const journal = new MemoryJournal();
    const first = await rig.connect(kernelId, { journal });
    const earlier = sessionOf(first);
    await run(first, "import ipywidgets as w, threading\nfree = threading.Event()\nout = w.Output()");
    const cell = new Cell("with out:\n    print('inside')\nprint('outside')\nfree.wait(30)");
    await first.execute([cell.request()]);
    await until("the output", () => cell.text() === "outside\n", { seen: () => JSON.stringify(cell.events) });
    earlier.dispose();
    first.dispose();
    const second = await rig.connect(kernelId, { journal });
    const later = sessionOf(second);
    const again = new Cell();
    await second.resume(({ cellId }) => (cellId === "cell-0" ? again : undefined));
    const seen = (): string => JSON.stringify(again.events);
    await until("the output in the new window", () => again.text().includes("outside\n"), { seen });
    assert.equal(again.text(), "outside\n");
    await second.interrupt();
    later.dispose();
  });

  it("removes the widgets when the kernel restarts", async () => {
    const events = eventsOf(session);
    await connection.restart();
    await until("the end of the widgets", () => events.some(({ type }) => type === "ended"));
    assert.deepEqual(session.models, []);
    await session.read();
    assert.deepEqual(session.models, []);
  });
});

function sessionOf(connection: KernelConnection): WidgetSession {
  return new WidgetSession(connection, {
    leftOutText: (characters) => `${characters} left out`,
    onError: (error) => {
      throw error;
    },
  });
}

/** Breaks the connection and restores it. `meanwhile` runs without a connection. */
async function reconnect(rig: KernelRig, connection: KernelConnection, meanwhile = (): void => {}): Promise<void> {
  rig.proxy.refuse();
  rig.proxy.cut();
  await until("the loss", () => connection.state.type !== "connected");
  meanwhile();
  rig.proxy.accept();
  connection.retry();
}

function eventsOf(session: WidgetSession): WidgetEvent[] {
  const events: WidgetEvent[] = [];
  session.listen((event) => events.push(event));
  return events;
}

/** The reply to an execution and the kernel's output come on separate channels, in any order. */
async function idOf(session: WidgetSession, name: string): Promise<string> {
  const find = (): string | undefined => session.models.find(({ state }) => state._model_name === name)?.commId;
  await until(`a widget ${name}`, () => find() !== undefined);
  return find() ?? "";
}

async function reaches(
  session: WidgetSession,
  commId: string,
  state: Readonly<Record<string, unknown>>,
): Promise<void> {
  const shown = (): unknown =>
    Object.fromEntries(Object.keys(state).map((key) => [key, stateOf(session, commId)[key]]));
  await until(`the state ${JSON.stringify(state)}`, () => isDeepStrictEqual(shown(), state));
}

/** Runs a cell that prints, and returns its output. */
async function printed(connection: KernelConnection, code: string): Promise<string> {
  const cell = await run(connection, code);
  await until(`the output of ${code}`, () => cell.text().endsWith("\n"));
  return cell.text();
}

function stateOf(session: WidgetSession, commId: string): Readonly<Record<string, unknown>> {
  return session.models.find((model) => model.commId === commId)?.state ?? {};
}
