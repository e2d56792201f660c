import * as vscode from "vscode";
import { ForwardedPort } from "../../api/companion/tunnel/forwarded-port.ts";
import { SharedTunnel } from "../../api/companion/tunnel/shared-tunnel.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { type ListeningPorts, placeKey } from "./listening-ports.ts";
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
  readonly following: vscode.Disposable;
}

type Services = Pick<PortServices, "companions" | "secrets"> & { readonly listening: ListeningPorts };

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
      services.listening.onDidChange((place) =>
        this.#workspaces.has(placeKey(place)) ? this.#changed.fire() : undefined,
      ),
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
    return [...this.#workspaces.values()].flatMap(({ place, forwarded }) => {
      const listening = this.#services.listening.latest(place);
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
    if (this.#workspaces.get(placeKey(workspace.place)) !== workspace || workspace.forwarded.has(port)) {
      // The user has signed out meanwhile, or asked for it twice.
      forwarded.dispose();
      return;
    }
    workspace.forwarded.set(port, { port: forwarded, hosts });
    this.#changed.fire();
  }

  /**
   * The address at which a browser finds a forwarded port; undefined if it isn't forwarded anymore. `url`: what it has
   * in the workspace, of which the address has the scheme, the path, the query, and the fragment.
   */
  async addressOf({ port, ...place }: PortAddress, url?: URL): Promise<vscode.Uri | undefined> {
    const forwarded = this.#workspaces.get(placeKey(place))?.forwarded.get(port);
    if (forwarded === undefined) {
      return undefined;
    }
    const local = vscode.Uri.parse(`${url?.protocol ?? "http:"}//127.0.0.1:${forwarded.port.localPort}/`, true);
    const external = await vscode.env.asExternalUri(local);
    forwarded.hosts.add(external.authority);
    if (url === undefined) {
      return external;
    }
    const { path, query, fragment } = vscode.Uri.parse(url.href, true);
    const base = external.path.replace(/\/$/, "");
    return external.with({ path: `${base}${path}`, ...(query === "" ? {} : { query }), fragment });
  }

  isForwarded({ port, ...place }: PortAddress): boolean {
    return this.#workspaces.get(placeKey(place))?.forwarded.has(port) === true;
  }

  stop({ port, ...place }: PortAddress): void {
    const key = placeKey(place);
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
    const { companions, listening } = this.#services;
    const key = placeKey(place);
    const known = this.#workspaces.get(key);
    if (known !== undefined) {
      return known;
    }
    const workspace: WorkspacePorts = {
      place,
      tunnel: new SharedTunnel((signal) => companions.get(place, signal)),
      forwarded: new Map(),
      following: listening.follow(place),
    };
    this.#workspaces.set(key, workspace);
    return workspace;
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
    workspace.following.dispose();
    workspace.tunnel.dispose();
    this.#changed.fire();
  }
}
