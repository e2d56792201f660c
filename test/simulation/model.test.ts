import assert from "node:assert/strict";
import { readingExpression } from "../../src/api/kernels/recorder/recorder-code.ts";
import type { IncomingMessage, OutgoingMessage } from "../../src/api/kernels/wire/kernel-message.ts";
import { Ledger } from "./ledger.ts";
import { type ClientSocket, Gateway, Hub, type RestResult } from "./model/gateway.ts";
import { outputText } from "./model/kernel-messages.ts";
import { resetOutputs } from "./model/program-run.ts";
import { Random } from "./model/random.ts";
import { ServerModel, type ServerOptions } from "./model/server-model.ts";
import { VirtualClock } from "./model/virtual-clock.ts";

const usual: ServerOptions = { kernel: "subshells", recorderEntries: 1000, maxRate: 1000, changesPorts: false };

/** The model with clients that only send and listen. */
class Rig {
  readonly clock = new VirtualClock(1_800_000_000_000);
  readonly ledger = new Ledger();
  readonly hub = new Hub();
  readonly server: ServerModel;
  readonly gateway: Gateway;
  readonly #random: Random;

  constructor(options: Partial<ServerOptions> = {}, seed = 1) {
    resetOutputs();
    this.#random = new Random(seed);
    this.server = new ServerModel(this.clock, this.#random, { ...usual, ...options }, this.ledger);
    this.gateway = this.newGateway();
  }

  newGateway(): Gateway {
    const { clock, hub, server } = this;
    return new Gateway({ clock, random: this.#random, server, hub }, { usual: 1, rare: 20 });
  }

  /** Lets this many milliseconds pass. */
  pass(milliseconds: number): void {
    const end = this.clock.now + milliseconds;
    while (this.clock.step(end));
  }

  connect(session = "one", gateway = this.gateway): Client {
    const client = new Client(session, gateway);
    this.pass(10_000);
    return client;
  }
}

class Client {
  readonly messages: IncomingMessage[] = [];
  readonly #socket: ClientSocket;
  readonly #session: string;
  isOpen = false;
  refusal: RestResult | undefined;
  #count = 0;

  constructor(session: string, gateway: Gateway) {
    this.#session = session;
    this.#socket = gateway.open(session, {
      opened: () => {
        this.isOpen = true;
      },
      refused: (result) => {
        this.refusal = result;
      },
      messages: (messages) => this.messages.push(...messages),
      ended: () => {
        this.isOpen = false;
      },
    });
  }

  close(): void {
    this.#socket.close();
  }

  send(message: Partial<OutgoingMessage>, type: string, more: Record<string, unknown> = {}): string {
    this.#count += 1;
    const msg_id = `${type.startsWith("execute") && more.isOwn === undefined ? "cell" : "platform-workbench"}-${this.#session}-${this.#count}`;
    const header = { msg_id, msg_type: type, session: this.#session, ...more };
    this.#socket.send({ channel: "shell", header, content: {}, ...message });
    return msg_id;
  }

  execute(code: string, run?: string): string {
    const metadata = run === undefined ? {} : { platform_workbench_run: run };
    return this.send({ content: { code, silent: false, stop_on_error: true }, metadata }, "execute_request");
  }

  evaluate(expression: string, subshell?: string): string {
    const content = { code: "", silent: true, user_expressions: { value: expression } };
    return this.send({ content }, "execute_request", {
      isOwn: true,
      ...(subshell === undefined ? {} : { subshell_id: subshell }),
    });
  }

  /** The texts of the outputs of a request. */
  texts(requestId: string): readonly string[] {
    return this.of(requestId).flatMap((message) => outputText(message) ?? []);
  }

  types(requestId: string): readonly string[] {
    return this.of(requestId).map(({ header, content }) => String(content.execution_state ?? header.msg_type));
  }

  of(requestId: string): readonly IncomingMessage[] {
    return this.messages.filter(({ parentHeader }) => parentHeader?.msg_id === requestId);
  }

  reply(requestId: string): IncomingMessage | undefined {
    return this.of(requestId).find(({ header }) => header.msg_type.endsWith("_reply"));
  }
}

describe("The model of a kernel and its server", () => {
  it("runs cells in order, and delivers all of their output", () => {
    const rig = new Rig();
    const client = rig.connect();
    const ids = ["out; pause 10; err; display 1; update 1; result", "out; clear; out"].map((code) =>
      client.execute(code),
    );
    rig.pass(1000);
    assert.deepEqual(
      ids.map((id) => client.texts(id)),
      [
        ["1", "2", "3", "4", "5"],
        ["6", "7"],
      ],
    );
    const [first = ""] = ids;
    assert.deepEqual(
      client.types(first).filter((type) => type !== "execute_reply"),
      ["busy", "execute_input", "stream", "stream", "display_data", "update_display_data", "execute_result", "idle"],
    );
    assert.equal(client.reply(first)?.content.status, "ok");
    assert.deepEqual(rig.ledger.get(first)?.outputs, ["out 1", "err 2", "display 3", "update 4", "result 5"]);
  });

  it("keeps the messages for the session that was connected last", () => {
    const rig = new Rig();
    const before = rig.connect();
    const id = before.execute("out; pause 1000; out; pause 1000; out");
    rig.pass(500);
    before.close();
    rig.pass(10_000);
    const after = rig.connect();
    assert.deepEqual([before.texts(id), after.texts(id)], [["1"], ["2", "3"]]);
    assert.equal(after.reply(id)?.content.status, "ok");
  });

  it("discards the messages when another session connects", () => {
    const rig = new Rig();
    const before = rig.connect();
    const id = before.execute("out; pause 1000; out");
    rig.pass(500);
    before.close();
    rig.pass(10_000);
    rig.connect("two").close();
    assert.deepEqual(rig.connect().texts(id), []);
  });

  it("loses what was on its way on a half-open socket", () => {
    const rig = new Rig();
    const client = rig.connect();
    const id = client.execute("out; pause 1000; out; pause 200000; out");
    rig.pass(500);
    rig.gateway.freeze("down");
    rig.pass(150_000);
    assert.equal(rig.server.keepsMessagesOf("one"), true);
    rig.pass(100_000);
    assert.deepEqual([client.texts(id), rig.connect().texts(id)], [["1"], ["3"]]);
  });

  it("drops output above the limit, and says so", () => {
    const rig = new Rig({ maxRate: 10 });
    const client = rig.connect();
    const id = client.execute("flood 50");
    rig.pass(1000);
    const texts = client.texts(id);
    assert.ok(texts.length < 20 && texts.some((text) => text.startsWith("IOPub message rate exceeded")), texts.join());
    assert.equal(client.types(id).at(-1) === "idle" || client.reply(id) !== undefined, true);
  });

  it("aborts what is queued after an error", () => {
    const rig = new Rig();
    const client = rig.connect();
    const [failed = "", aborted = ""] = ["pause 50; raise", "out"].map((code) => client.execute(code));
    rig.pass(1000);
    assert.deepEqual(
      [failed, aborted].map((id) => client.reply(id)?.content.status),
      ["error", "aborted"],
    );
    const later = client.execute("out");
    rig.pass(1000);
    assert.equal(client.reply(later)?.content.status, "ok");
  });

  it("has a recorder that a subshell reads while a cell runs", () => {
    const rig = new Rig();
    const client = rig.connect();
    client.evaluate("install()");
    rig.pass(100);
    const id = client.execute("out; pause 100000; out");
    const creation = client.send({ channel: "control" }, "create_subshell_request");
    rig.pass(1000);
    const subshell = String(client.reply(creation)?.content.subshell_id);
    const reading = client.evaluate(readingExpression(0, [], 1000), subshell);
    rig.pass(1000);
    const page = String(JSON.stringify(client.reply(reading)?.content));
    assert.match(page, /execute_input/);
    assert.match(page, /platform_workbench_number/);
    assert.deepEqual(client.texts(id), ["1"]);
  });

  it("aborts the later cells of a run that failed, also those that come later, if there is a recorder", () => {
    const rig = new Rig();
    const client = rig.connect();
    client.evaluate("install()");
    client.execute("raise", "run");
    rig.pass(1000);
    const later = client.execute("out", "run");
    rig.pass(1000);
    assert.equal(client.reply(later)?.content.status, "aborted");
  });

  it("asks for input, and continues with it", () => {
    const rig = new Rig();
    const client = rig.connect();
    const id = client.execute("out; input; out");
    rig.pass(1000);
    const question = client.of(id).find(({ header }) => header.msg_type === "input_request");
    assert.ok(question !== undefined);
    client.send({ channel: "stdin", parentHeader: question.header, content: { value: "Ada" } }, "input_reply");
    rig.pass(1000);
    assert.deepEqual([client.texts(id), rig.ledger.get(id)?.inputs], [["1", "2"], ["Ada"]]);
  });

  it("drops the reply if it is interrupted before the code begins, and raises an error later", () => {
    let dropped = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const rig = new Rig({}, seed);
      const client = rig.connect();
      const id = client.execute("pause 5; out");
      rig.pass(seed % 5);
      rig.server.interrupt();
      rig.pass(1000);
      const outcome = rig.ledger.get(id)?.outcome;
      dropped += outcome === "noReply" ? 1 : 0;
      assert.equal(client.reply(id) === undefined, outcome === "noReply");
    }
    assert.ok(dropped > 0 && dropped < 100, String(dropped));
  });

  it("lets threads write to the request that the kernel handles", () => {
    const rig = new Rig();
    const client = rig.connect();
    const first = client.execute("thread (pause 100; out; pause 1000; out)");
    rig.pass(500);
    const second = client.execute("pause 5000");
    rig.pass(10_000);
    assert.deepEqual([client.texts(first), client.texts(second)], [["1"], ["2"]]);
  });

  it("restarts the kernel, and announces it", () => {
    const rig = new Rig();
    const client = rig.connect();
    const id = client.execute("pause 100000");
    rig.pass(100);
    let result: RestResult | undefined;
    rig.gateway.post("restart", (response) => {
      result = response;
    });
    rig.pass(10_000);
    assert.equal(result?.type, "ok");
    assert.ok(
      client.messages.some(({ header, content }) => header.msg_type === "shutdown_reply" && content.restart === true),
    );
    assert.equal(rig.ledger.get(id)?.isLost, true);
    const later = client.execute("out");
    rig.pass(1000);
    assert.equal(client.reply(later)?.content.status, "ok");
  });

  it("restarts a kernel that died, until it dies too often", () => {
    const rig = new Rig();
    const client = rig.connect();
    for (let deaths = 0; deaths < 6; deaths += 1) {
      client.execute("die");
      rig.pass(9000);
    }
    const states = client.messages.filter(({ header }) => header.session === "one" && header.msg_type === "status");
    assert.deepEqual(states.map(({ content }) => content.execution_state).slice(-2), ["restarting", "dead"]);
    assert.equal(rig.connect().refusal?.type, "gone");
  });

  it("refuses a token that is not valid, and has no kernel after it was shut down", () => {
    const rig = new Rig();
    rig.gateway.hasValidToken = false;
    assert.equal(rig.connect().refusal?.type, "refused");
    rig.gateway.hasValidToken = true;
    rig.hub.state = "noRoute";
    assert.equal(rig.connect().refusal?.type, "noRoute");
    rig.hub.state = "running";
    rig.server.shutDown();
    assert.equal(rig.connect().refusal?.type, "gone");
  });

  it("closes an earlier socket of the same session", () => {
    const rig = new Rig();
    const before = rig.connect();
    const after = rig.connect();
    assert.deepEqual([before.isOpen, after.isOpen], [false, true]);
  });

  it("does the same again for the same seed", () => {
    const results = [1, 1, 2].map((seed) => {
      const rig = new Rig({}, seed);
      const client = rig.connect();
      client.execute("out; flood 5; thread (pause 10; out)");
      rig.pass(1000);
      return client.messages.map(({ header }) => `${header.msg_id} ${header.date}`).join();
    });
    assert.equal(results[0], results[1]);
    assert.notEqual(results[0], results[2]);
  });
});
