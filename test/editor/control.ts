import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { SampleTenant } from "../../src/programs/sample-tenant/server.ts";
import type { FaultProxy } from "../harness/proxy.ts";
import type { ControlCommand, OutsideTenant } from "./outside.ts";

export interface Controlled {
  readonly tenant: SampleTenant;
  readonly proxy: FaultProxy;
  readonly outside: OutsideTenant;
}

/** Lets tests inside the extension host count and break requests, and start and stop workspaces. */
export async function startControl(
  controlled: ReadonlyMap<string, Controlled>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const one = controlled.get(new URL(request.url ?? "/", "http://localhost").pathname.slice(1));
    const handle = async (): Promise<unknown> => {
      if (one === undefined) {
        throw new Error(`no tenant at ${request.url}`);
      }
      return (await obey(one, JSON.parse(await textOf(request)) as ControlCommand)) ?? null;
    };
    handle().then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function obey({ tenant, proxy, outside }: Controlled, command: ControlCommand): Promise<unknown> {
  switch (command.type) {
    case "requests":
      return proxy.requests;
    case "quiet":
      return proxy.quiet(command.milliseconds);
    case "reset":
      return proxy.reset();
    case "fault":
      proxy.addFault(command.rule);
      return undefined;
    case "clearFaults":
      return proxy.clearFaults();
    case "webSocketBytes":
      return proxy.webSocketBytes();
    case "cutWebSockets":
      return proxy.cutWebSockets();
    case "startWorkspace":
      return tenant.startWorkspace(outside.workspaceId);
    case "stopWorkspace":
      return tenant.stopWorkspace(outside.workspaceId);
    case "crashWorkspace":
      return tenant.crashWorkspace(outside.workspaceId);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) {
    text += String(part);
  }
  return text;
}
