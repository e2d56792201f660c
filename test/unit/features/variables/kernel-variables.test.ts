import assert from "node:assert/strict";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import { CompanionLostError } from "../../../../src/api/companion/errors.ts";
import type { KernelConnection } from "../../../../src/api/kernels/connection/connection.ts";
import { phrase } from "../../../../src/api/phrase.ts";
import { KernelVariables } from "../../../../src/features/variables/kernel-variables.ts";
import { obstacleOf } from "../../../../src/features/variables/obstacles.ts";
import type { OpenKernel } from "../../../../src/tenants/open-kernels.ts";
import { until } from "../../../harness/until.ts";

type Listener = Parameters<Companion["subscribe"]>[2];

/** The program in a kernel whose only variable counts the lists. */
class Program {
  readonly operations: string[] = [];
  listener: Listener | undefined;
  /** Lists wait for it. */
  gate = Promise.resolve();
  disposed = 0;

  async request({ name }: { readonly name: string }) {
    this.operations.push(name);
    await this.gate;
    const row = {
      ...{ label: "value", step: { kind: "name", at: "value" }, type: "int", shape: null, size: 28 },
      ...{ value: String(this.operations.length), isCut: false, problem: null, hasChildren: false, isFrame: false },
      ...{ expression: "value", setter: null },
    };
    return { rows: [row], total: 1, all: 1 };
  }

  async subscribe(_operation: unknown, _parameters: unknown, listener: Listener) {
    this.listener = listener;
    return { result: {}, dispose: () => (this.disposed += 1) };
  }

  push(): void {
    this.listener?.onPush({}, []);
  }
}

const connection = { state: { type: "connected", since: 0 } } as KernelConnection;
function kernelWith(program: () => Promise<unknown>): OpenKernel {
  const notebook = { uri: "platform-contents://tenant/a.ipynb" };
  return { notebook, program, connection, language: "python", isFollowing: false } as unknown as OpenKernel;
}

describe("the variables of a kernel", () => {
  let program: Program;
  let changes: number;
  /** What was to be drawn again with each change. */
  let drawn: unknown[];
  let created: KernelVariables[];

  beforeEach(() => {
    program = new Program();
    changes = 0;
    drawn = [];
    created = [];
  });
  afterEach(() => {
    for (const variables of created) variables.dispose();
  });

  function create(given: () => Promise<unknown> = async () => program): KernelVariables {
    const variables = new KernelVariables({
      kernel: kernelWith(given),
      connection,
      options: () => ({ filter: "", sort: "name", includesAll: false }),
      isExpanded: () => false,
      onChange: (changed) => {
        changes += 1;
        drawn.push(changed);
      },
    });
    created.push(variables);
    return variables;
  }

  it("are read once at first, and again after a report", async () => {
    const variables = create();
    await variables.settled;
    assert.equal(variables.state.type, "listed");
    assert.deepEqual([program.operations.length, changes, variables.all], [1, 1, 1]);
    program.push();
    await until("a change", () => changes === 2);
    assert.deepEqual(program.operations, ["variables.list", "variables.list"]);
    assert.deepEqual(drawn, [undefined, await variables.lists.elements()]);
  });

  it("are read once more after any number of reports during a list", async () => {
    await create().settled;
    const gate = Promise.withResolvers<void>();
    program.gate = gate.promise;
    for (let nth = 0; nth < 50; nth += 1) program.push();
    gate.resolve();
    await until("two more lists", () => program.operations.length === 3 && changes === 3);
  });

  it("are read again if they change during the first list", async () => {
    const gate = Promise.withResolvers<void>();
    program.gate = gate.promise;
    create();
    await until("the first list", () => program.operations.length === 1);
    program.push();
    gate.resolve();
    await until("the second list", () => program.operations.length === 2);
  });

  it("end with the subscription, and keep what was read", async () => {
    const variables = create();
    await variables.settled;
    program.listener?.onFailure(new CompanionLostError(phrase`The connection to the companion was lost.`));
    assert.deepEqual(
      [variables.state.type, variables.state.type === "ended" && variables.state.hasRows],
      ["ended", true],
    );
    assert.equal((await variables.lists.elements()).length, 1);
  });

  it("end if the kernel can't run the program", async () => {
    const variables = create(() => Promise.reject(new Error("too old")));
    await variables.settled;
    assert.equal(variables.state.type === "ended" && !variables.state.hasRows, true);
  });

  it("request nothing after they are disposed of", async () => {
    const started = Promise.withResolvers<unknown>();
    const early = create(() => started.promise);
    early.dispose();
    started.resolve(program);
    await until("the end of the late subscription", () => program.disposed === 1);
    const late = create();
    await late.settled;
    late.dispose();
    assert.equal(program.disposed, 2);
    const before = program.operations.length;
    program.push();
    assert.deepEqual([program.operations.length, changes], [before, 1]);
  });
});

describe("the sentence instead of variables", () => {
  const kernel = kernelWith(async () => undefined);
  const textOf = (changed: object): string | undefined => obstacleOf({ ...kernel, ...changed } as OpenKernel)?.text;

  it("says what is missing", () => {
    assert.equal(textOf({}), undefined);
    assert.equal(obstacleOf(undefined)?.text, "No kernel is running. Run a cell to start one.");
    assert.equal(textOf({ connection: undefined }), "No kernel is running. Run a cell to start one.");
    assert.equal(textOf({ connection: { state: { type: "kernelDead" } } }), textOf({ connection: undefined }));
    assert.match(textOf({ language: "r" }) ?? "", /The kernel of this notebook is for r\.$/);
    assert.match(textOf({ isFollowing: true }) ?? "", /^Another window runs this notebook/);
  });

  it("offers to start a kernel only for a notebook that can have one", () => {
    assert.equal(obstacleOf(undefined)?.action, undefined);
    const { action } = obstacleOf({ ...kernel, connection: undefined }) ?? {};
    assert.equal(action?.command, "platformWorkbench.startKernelForVariables");
  });
});
