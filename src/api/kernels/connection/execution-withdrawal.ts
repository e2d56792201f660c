import { setTimeout as pause } from "node:timers/promises";
import type { KernelInformation } from "../models.ts";
import { pythonText } from "../recorder/recorder-code.ts";
import { isIPython, KernelEvaluation } from "./kernel-evaluation.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/**
 * Time limit for the kernel to withdraw executions, in milliseconds. A kernel that doesn't support this doesn't reply.
 */
const withdrawalTimeoutMs = 2000;

/**
 * ipykernel calls `should_handle` before it handles a request. A withdrawn request gets the same reply as a request
 * that is queued after a failed cell.
 */
const source = `
def withdraw(ids):
    from ipykernel.kernelbase import Kernel
    kernel = Kernel.instance() if Kernel.initialized() else None
    if kernel is None:
        from ipykernel.kernelapp import IPKernelApp
        kernel = IPKernelApp.instance().kernel
    should_handle = kernel.should_handle

    def handles(stream, msg, identities):
        if msg["header"]["msg_id"] in ids:
            kernel._send_abort_reply(stream, msg, identities)
            return False
        return should_handle(stream, msg, identities)

    kernel.should_handle = handles
`;

/**
 * Withdraws executions that the kernel has received but not begun, even while a cell runs. Resolves with false if the
 * kernel doesn't support this or takes longer than 2 seconds. Never rejects.
 */
export async function withdrawExecutions(
  requests: KernelRequests,
  information: KernelInformation | undefined,
  messageIds: readonly string[],
): Promise<boolean> {
  if (messageIds.length === 0 || information === undefined) {
    return false;
  }
  const evaluation = new KernelEvaluation(requests, information);
  const withdrawing =
    isIPython(information) && evaluation.isConcurrent
      ? evaluation.textOf(withdrawalExpression(messageIds))
      : // ipykernel supported this request until it got subshells.
        requests.request("control", "abort_request", { msg_ids: messageIds });
  const isWithdrawn = withdrawing.then(
    () => true,
    () => false,
  );
  return Promise.race([isWithdrawn, pause(withdrawalTimeoutMs, false, { ref: false })]);
}

function withdrawalExpression(messageIds: readonly string[]): string {
  const call = `withdraw({${messageIds.map(pythonText).join(", ")}})`;
  return `__import__("builtins").exec(${pythonText(`${source}\n${call}\n`)}, {"__name__": "_platform_workbench_withdrawal"})`;
}
