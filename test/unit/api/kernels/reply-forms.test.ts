import assert from "node:assert/strict";
import { until } from "../../../harness/until.ts";
import { type FakeKernel, openFakeKernel } from "./fake-kernel.ts";

/** What a kernel sends for one cell. `input`: it began. `error`: the error's name. */
interface Form {
  readonly published: readonly ("busy" | "input" | "idle" | { readonly error: string })[];
  readonly reply: object;
}

const list: readonly unknown[] = [];
const began = ["busy", "input", "idle"] as const;
const failed = (error: string) => ["busy", "input", { error }, "idle"] as const;
const ok: Form = { published: began, reply: { status: "ok", execution_count: 1, payload: list, user_expressions: {} } };
const pythonError = (ename: string): Form => ({
  published: failed(ename),
  reply: { status: "error", ename, evalue: "", traceback: list, execution_count: 3, payload: list },
});
const aborted: Form = { published: ["busy", "idle"], reply: { status: "aborted" } };
const interrupted: Form = { published: began, reply: { status: "abort", execution_count: 3 } };

/** As recorded in docs/reference/kernel-replies.md. */
const kernels: Readonly<Record<string, Readonly<Record<string, readonly [Form, string, string?]>>>> = {
  "ipykernel 6 and 7": {
    success: [ok, "ok"],
    failure: [pythonError("ZeroDivisionError"), "error", "ZeroDivisionError"],
    interrupt: [pythonError("KeyboardInterrupt"), "error", "KeyboardInterrupt"],
    "cell after a failure": [aborted, "aborted"],
  },
  IRkernel: {
    success: [ok, "ok"],
    failure: [
      {
        published: failed("ERROR"),
        reply: { status: "error", execution_count: 2, ename: "ERROR", evalue: "Error: no", traceback: list },
      },
      "error",
      "ERROR",
    ],
    interrupt: [interrupted, "error", "Interrupted"],
    "cell after a failure": [{ published: [], reply: { status: "aborted" } }, "aborted"],
  },
  bash_kernel: {
    success: [ok, "ok"],
    failure: [
      {
        published: failed(""),
        reply: { status: "error", ename: "", evalue: "127", traceback: list, execution_count: 2 },
      },
      "error",
      "",
    ],
    interrupt: [interrupted, "error", "Interrupted"],
    "cell after a failure": [aborted, "aborted"],
  },
};

describe("the replies of kernels", () => {
  let kernel: FakeKernel;

  beforeEach(async () => {
    kernel = await openFakeKernel();
  });
  afterEach(() => kernel.connection.dispose());

  for (const [name, forms] of Object.entries(kernels)) {
    for (const [situation, [form, outcome, error]] of Object.entries(forms)) {
      for (const isReplyFirst of [false, true]) {
        it(`of ${name} show the outcome of a ${situation}${isReplyFirst ? ", if they arrive first" : ""}`, async () => {
          const run = await kernel.run("code");
          const { header } = run.request;
          if (isReplyFirst) kernel.reply(run.request, form.reply);
          for (const published of form.published) {
            if (published === "input") {
              kernel.publish(header, "execute_input", { code: "code", execution_count: 3 });
            } else if (typeof published === "object") {
              kernel.publish(header, "error", { ename: published.error, evalue: "", traceback: [] });
            } else {
              kernel.status(header, published);
            }
          }
          if (!isReplyFirst) kernel.reply(run.request, form.reply);
          await until("its end", () => run.outcome() !== "pending");
          assert.equal(run.outcome(), outcome);
          const errors = run.events.flatMap((event) => (event.type === "error" ? [event.name] : []));
          assert.deepEqual(errors, error === undefined ? [] : [error]);
          assert.equal(
            run.events.some(({ type }) => type === "gap"),
            false,
          );
          // Nothing had to be requested to find out how it ended.
          assert.deepEqual(kernel.requests.length, 1);
        });
      }
    }
  }
});
