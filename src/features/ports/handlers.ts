import * as vscode from "vscode";
import * as z from "zod/mini";
import { type ListeningPort, watchPorts } from "../../api/companion/operations/ports.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { displayedItem } from "../../ui/quick-input/displayed-items.ts";
import { pickItem, showPick } from "../../ui/quick-input/show-input.ts";
import { workspaceInView } from "../../ui/quick-input/workspace-choice.ts";
import type { PortsCommandId } from "./declarations.ts";
import type { ForwardedPorts, PortAddress, PortRow } from "./forwarded-ports.ts";
import { forwardedAddress, openPort, previewPort } from "./open-port.ts";
import type { PortServices } from "./port-services.ts";

const maxPort = 65_535;
const rowShape = z.looseObject({
  tenantId: z.string(),
  workspaceId: z.string(),
  port: z.int().check(z.minimum(1), z.maximum(maxPort)),
});
/** The commands of forwarded ports. */
export function portCommands(services: PortServices, ports: ForwardedPorts): CommandHandlers<PortsCommandId> {
  const { connections } = services;
  return {
    "platformWorkbench.forwardPort": async (run, argument) => {
      const place = await workspaceInView(services, run, argument, vscode.l10n.t("Forward Port"));
      const name = connections.nameOf(place.tenantId, place.workspaceId);
      const listening = await listeningPorts(services, place, name);
      const port = await askForPort(listening, name);
      await ports.forward({ ...place, port });
      void offerToOpen({ ...place, port }, name);
    },
    "platformWorkbench.forwardListeningPort": async (_, argument) => {
      const { tenantId, workspaceId, port } = z.parse(rowShape, argument);
      // Only one that the view shows, so that the user has seen which.
      if (ports.rows.some((row) => isSame(row, { tenantId, workspaceId, port }))) {
        await ports.forward({ tenantId, workspaceId, port });
      }
    },
    "platformWorkbench.openForwardedPort": async (_, argument) =>
      openPort(ports, await forwardedPort(services, ports, argument)),
    "platformWorkbench.previewForwardedPort": async (_, argument) =>
      previewPort(ports, await forwardedPort(services, ports, argument)),
    "platformWorkbench.copyForwardedPort": async (_, argument) => {
      const uri = await forwardedAddress(ports, await forwardedPort(services, ports, argument));
      await vscode.env.clipboard.writeText(uri.toString(true));
    },
    "platformWorkbench.stopForwardingPort": async (_, argument) =>
      ports.stop(await forwardedPort(services, ports, argument)),
  };

  async function offerToOpen(address: PortAddress, workspace: string): Promise<void> {
    const inBrowser = vscode.l10n.t("Open in Browser");
    const inEditor = vscode.l10n.t("Open in Editor");
    const row = ports.rows.find((one) => one.type === "forwarded" && isSame(one, address));
    if (row?.type !== "forwarded") {
      return;
    }
    const text = vscode.l10n.t(
      "Port {0} of {1} is forwarded to {2}.",
      address.port,
      workspace,
      `127.0.0.1:${row.localPort}`,
    );
    const chosen = await showInformation(text, inBrowser, inEditor);
    if (chosen === inBrowser) {
      await openPort(ports, address);
    } else if (chosen === inEditor) {
      await previewPort(ports, address);
    }
  }
}

/** Starts the companion, and asks it for the ports on which programs listen. */
async function listeningPorts(
  { companions }: PortServices,
  place: CompanionPlace,
  name: string,
): Promise<readonly ListeningPort[]> {
  return withCancellableProgress(vscode.l10n.t("Reading the ports of {0}", name), async (signal) => {
    const companion = await companions.get(place, signal);
    const listener = { onPush: () => {}, onFailure: () => {} };
    const watched = await companion.subscribe(watchPorts, {}, listener, { signal });
    watched.dispose();
    return watched.result.ports;
  });
}

interface PortItem extends vscode.QuickPickItem {
  readonly port: number | undefined;
}

/** Asks for one of the ports on which programs listen, or for any other one. */
async function askForPort(listening: readonly ListeningPort[], workspace: string): Promise<number> {
  const pick = vscode.window.createQuickPick<PortItem>();
  pick.title = vscode.l10n.t("Forward Port of {0}", workspace);
  pick.placeholder = vscode.l10n.t("Enter the number of a port, or choose one");
  pick.ignoreFocusOut = true;
  const known = listening.map(
    ({ port, name }): PortItem => ({
      label: String(port),
      description: name,
      iconPath: new vscode.ThemeIcon("circle-outline"),
      port,
    }),
  );
  const draw = (): void => {
    const typed = pick.value.trim();
    const port = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
    const isNew = port >= 1 && port <= maxPort && known.every((item) => item.port !== port);
    const label = vscode.l10n.t("Forward Port {0}", String(port));
    const items = isNew
      ? [{ label, iconPath: new vscode.ThemeIcon("plug"), alwaysShow: true, port }, ...known]
      : known.length > 0
        ? known
        : [{ label: vscode.l10n.t("Enter a number from 1 to 65535"), alwaysShow: true, port: undefined }];
    pick.items = items.map((item) => displayedItem(item));
  };
  draw();
  pick.onDidChangeValue(draw);
  return showPick(
    pick,
    ({ port }) => port,
    () => {},
  );
}

/** The forwarded port of a row, or the one that the user chooses. */
async function forwardedPort(
  { connections }: PortServices,
  ports: ForwardedPorts,
  argument: unknown,
): Promise<PortAddress> {
  const forwarded = ports.rows.filter((row): row is PortRow & { type: "forwarded" } => row.type === "forwarded");
  const named = z.safeParse(rowShape, argument);
  const found = named.success ? forwarded.find((row) => isSame(row, named.data)) : undefined;
  if (found !== undefined) {
    return found;
  }
  if (forwarded.length === 0) {
    throw new Error(vscode.l10n.t("No port is forwarded."));
  }
  const [only] = forwarded;
  if (forwarded.length === 1 && only !== undefined) {
    return only;
  }
  const items = forwarded.map((row) => ({
    label: String(row.port),
    description: connections.nameOf(row.tenantId, row.workspaceId),
    iconPath: new vscode.ThemeIcon("plug"),
    row,
  }));
  return (await pickItem(items, { placeHolder: vscode.l10n.t("Choose a forwarded port") })).row;
}

function isSame(one: PortAddress, other: PortAddress): boolean {
  return one.tenantId === other.tenantId && one.workspaceId === other.workspaceId && one.port === other.port;
}
