import * as vscode from "vscode";
import { type ListeningPort, watchPorts } from "../../api/companion/operations/ports.ts";
import { ForwardedPort } from "../../api/companion/tunnel/forwarded-port.ts";
import { SharedTunnel } from "../../api/companion/tunnel/shared-tunnel.ts";
import { errorMessage } from "../../api/error-message.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { localizedText } from "../../tenants/error-text.ts";
import type { PortServices } from "./port-services.ts";

/** A port of a workspace. */
export interface PortAddress extends CompanionPlace {
  readonly port: number;
}

/** A port that is forwarded, or one on which a program listens in a workspace with forwarded ports. */
export type PortRow = PortAddress & {
  /** The program that listens. Empty if it isn't known. */
  readonly name: string;
} & (
    | { readonly type: "forwarded"; readonly localPort: number; readonly problem: string | undefined }
    | { readonly type: "listening" }
  );

interface Forwarded {
  readonly port: ForwardedPort;
  /** Hosts of its address in an editor that runs in a browser. */
  readonly hosts: Set<string>;
}

interface WorkspacePorts {
  readonly place: CompanionPlace;
  readonly tunnel: SharedTunnel;
  readonly forwarded: Map<number, Forwarded>;
  readonly disposables: vscode.Disposable[];
  listening: readonly ListeningPort[];
  watching: vscode.Disposable | undefined;
}

type Services = Pick<PortServices, "companions" | "secrets" | "log">;

/** The forwarded ports of this window. They end when the user signs out, and with the window. */
export class ForwardedPorts implements vscode.Disposable {
  readonly #services: Services;
  readonly #workspaces = new Map<string, WorkspacePorts>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(services: Services) {
    this.#services = services;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      services.secrets.onDidSignOut((tenantId) => {
        for (const [key, { place }] of this.#workspaces) {
          if (place.tenantId === tenantId) {
            this.#close(key);
          }
        }
      }),
    );
  }

  /** The forwarded ports of each workspace, and then those on which a program listens. */
  get rows(): readonly PortRow[] {
    return [...this.#workspaces.values()].flatMap(({ place, forwarded, listening }) => {
      const names = new Map(listening.map(({ port, name }) => [port, name]));
      const own = [...forwarded.values()].map(({ port: { port, localPort, problem } }): PortRow => {
        const text = problem === undefined ? undefined : localizedText(problem);
        return { type: "forwarded", ...place, port, localPort, problem: text, name: names.get(port) ?? "" };
      });
      const others = listening
        .filter(({ port }) => !forwarded.has(port))
        .map(({ port, name }): PortRow => ({ type: "listening", ...place, port, name }));
      return [...own, ...others];
    });
  }

  /** Forwards a port, unless it already is. Rejects if this computer permits no port. */
  async forward({ tenantId, workspaceId, port }: PortAddress): Promise<void> {
    const workspace = this.#of({ tenantId, workspaceId });
    if (workspace.forwarded.has(port)) {
      return;
    }
    const hosts = new Set<string>();
    const forwarded = await ForwardedPort.listen({
      port,
      tunnel: (signal) => workspace.tunnel.get(signal),
      hosts: () => [...hosts],
      onChange: () => this.#changed.fire(),
      wordsOf: localizedText,
    });
    if (this.#workspaces.get(keyOf(workspace.place)) !== workspace || workspace.forwarded.has(port)) {
      // The user has signed out meanwhile, or asked for it twice.
      forwarded.dispose();
      return;
    }
    workspace.forwarded.set(port, { port: forwarded, hosts });
    this.#changed.fire();
    void this.#watch(workspace);
  }

  /** The address at which a browser finds a forwarded port; undefined if it isn't forwarded anymore. */
  async addressOf({ port, ...place }: PortAddress): Promise<vscode.Uri | undefined> {
    const forwarded = this.#workspaces.get(keyOf(place))?.forwarded.get(port);
    if (forwarded === undefined) {
      return undefined;
    }
    const local = vscode.Uri.parse(`http://127.0.0.1:${forwarded.port.localPort}/`, true);
    const external = await vscode.env.asExternalUri(local);
    forwarded.hosts.add(external.authority);
    return external;
  }

  stop({ port, ...place }: PortAddress): void {
    const key = keyOf(place);
    const workspace = this.#workspaces.get(key);
    workspace?.forwarded.get(port)?.port.dispose();
    workspace?.forwarded.delete(port);
    if (workspace?.forwarded.size === 0) {
      this.#close(key);
    } else {
      this.#changed.fire();
    }
  }

  dispose(): void {
    for (const key of [...this.#workspaces.keys()]) {
      this.#close(key);
    }
    this.#disposables.dispose();
  }

  #of(place: CompanionPlace): WorkspacePorts {
    const { companions } = this.#services;
    const key = keyOf(place);
    const known = this.#workspaces.get(key);
    if (known !== undefined) {
      return known;
    }
    const workspace: WorkspacePorts = {
      place,
      tunnel: new SharedTunnel((signal) => companions.get(place, signal)),
      forwarded: new Map(),
      disposables: [],
      listening: [],
      watching: undefined,
    };
    workspace.disposables.push(
      companions.onDidChange((changed) => {
        if (keyOf(changed) === key) {
          void this.#watch(workspace);
        }
      }),
    );
    this.#workspaces.set(key, workspace);
    return workspace;
  }

  /** Follows the ports on which programs listen. Starts no companion for it. */
  async #watch(workspace: WorkspacePorts): Promise<void> {
    const companion = this.#services.companions.running(workspace.place);
    if (companion === undefined || workspace.watching !== undefined) {
      return;
    }
    // Holds its place until the reply.
    const starting = new vscode.Disposable(() => {});
    workspace.watching = starting;
    const take = (ports: readonly ListeningPort[]): void => {
      workspace.listening = ports;
      this.#changed.fire();
    };
    const end = (): void => {
      workspace.watching = undefined;
      take([]);
    };
    try {
      const subscription = await companion.subscribe(
        watchPorts,
        {},
        {
          onPush: ({ ports }) => take(ports),
          onFailure: () => {
            end();
            // After a lost connection. If the companion has ended, the next one begins again.
            void this.#watch(workspace);
          },
        },
      );
      if (workspace.watching !== starting) {
        subscription.dispose();
        return;
      }
      workspace.watching = new vscode.Disposable(() => subscription.dispose());
      take(subscription.result.ports);
    } catch (error) {
      this.#services.log.debug(`ports: ${errorMessage(error)}`);
      if (workspace.watching === starting) {
        end();
      }
    }
  }

  #close(key: string): void {
    const workspace = this.#workspaces.get(key);
    if (workspace === undefined) {
      return;
    }
    this.#workspaces.delete(key);
    for (const { port } of workspace.forwarded.values()) {
      port.dispose();
    }
    workspace.watching?.dispose();
    workspace.watching = undefined;
    workspace.tunnel.dispose();
    vscode.Disposable.from(...workspace.disposables).dispose();
    this.#changed.fire();
  }
}

function keyOf({ tenantId, workspaceId }: CompanionPlace): string {
  return `${tenantId}/${workspaceId}`;
}
