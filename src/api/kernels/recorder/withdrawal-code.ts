import { pythonText } from "./recorder-code.ts";

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

/** Python expression that withdraws executions which the kernel has received but not begun. */
export function withdrawalExpression(messageIds: readonly string[]): string {
  const call = `withdraw({${messageIds.map(pythonText).join(", ")}})`;
  return `__import__("builtins").exec(${pythonText(`${source}\n${call}\n`)}, {"__name__": "_platform_workbench_withdrawal"})`;
}
