import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { silentLog } from "../../src/api/http/log.ts";
import type { Transport } from "../../src/api/http/transport.ts";
import { WordedError } from "../../src/api/worded-error.ts";
import { FailedOperations } from "../../src/file-system/provider/failed-operations.ts";
import { PlatformFileSystem } from "../../src/file-system/provider/platform-file-system.ts";
import type { ContentVersion } from "../../src/file-system/versions/content-version.ts";
import { Connections } from "../../src/tenants/connections.ts";
import { readTenant } from "../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../src/tenants/tenant-secrets.ts";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { showFailure } from "../../src/ui/commands/failure.ts";
import { StandInMemento, StandInSecrets } from "../harness/editor-stand-in/memory.ts";
import { Uri } from "../harness/editor-stand-in/vscode.ts";
import { PersonalTime } from "../harness/personal-time.ts";
import { smallChunks } from "../harness/small-chunks.ts";

/** A content server of a workspace, and the workspace's platform. */
export interface ContentPlace {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** `/user/ada/4f7c21aa/` */
  readonly prefix: string;
  readonly token: string;
  readonly platform?: { readonly url: string; readonly token: string; readonly workspaceId: string };
}

export interface ClientOptions {
  readonly transport: Transport;
  /** The storage of an earlier session of this client. */
  readonly memento?: StandInMemento;
  /** Lowercase letters, digits, and hyphens. Another client's files are separate, even on the same server. */
  readonly tenantId?: string;
  /** Files count as large if they exceed the harness's `smallChunks`. Default `false`. */
  readonly smallChunks?: boolean;
  readonly time?: PersonalTime;
  /** The clock of the automatic retries. Default: `time`. */
  readonly retryTime?: PersonalTime;
  /** Called before a save replaces a version that the editor's copy is not based on. */
  readonly beforeReplacing?: (uri: vscode.Uri, server: ContentVersion) => Promise<void>;
  /** A folder that outlives this client. Default: one that is removed with it. */
  readonly storage?: string;
}

/** The extension's file system, composed as in the extension, in plain Node. */
export class FilesClient {
  readonly files: PlatformFileSystem;
  readonly tenantId: string;
  readonly workspaceId: string;
  /** The age of what this client has cached. */
  readonly time: PersonalTime;
  /** The folder of this computer for content that is about to be replaced. */
  readonly storage: { readonly fsPath: string };
  /** Events since the last `takeEvents`. */
  #events: vscode.FileChangeEvent[] = [];
  readonly #parts: readonly { dispose(): unknown }[];

  readonly #secrets: TenantSecrets;

  private constructor(
    tenantId: string,
    workspaceId: string,
    files: PlatformFileSystem,
    time: PersonalTime,
    secrets: TenantSecrets,
    storage: vscode.Uri,
    parts: readonly { dispose(): unknown }[],
  ) {
    this.storage = storage;
    this.tenantId = tenantId;
    this.workspaceId = workspaceId;
    this.files = files;
    this.time = time;
    this.#secrets = secrets;
    this.#parts = parts;
    files.onDidChangeFile((events) => this.#events.push(...events));
  }

  static async connect(place: ContentPlace, options: ClientOptions): Promise<FilesClient> {
    const tenantId = options.tenantId ?? `tenant-${randomUUID()}`;
    const workspaceId = place.platform?.workspaceId ?? randomUUID();
    const baseUrl = place.platform?.url ?? "http://127.0.0.1:9";
    const read = readTenant(
      { id: tenantId, baseUrl, contentServer: { origin: place.origin, prefix: place.prefix } },
      "provided",
    );
    if ("problem" in read) throw new WordedError(read.problem);
    const memento = options.memento ?? new StandInMemento();
    const registry = new TenantRegistry(memento);
    registry.provide(read.tenant);
    const secrets = new TenantSecrets(new StandInSecrets());
    await secrets.saveNotebookToken(read.tenant, workspaceId, place.origin, place.token);
    if (place.platform !== undefined) await secrets.saveCredential(read.tenant, place.platform.token, "ada");
    const remembered = { name: "Sales", base: place.origin + place.prefix, tenant: read.tenant.baseUrl };
    await memento.update("workspaces", { [`${tenantId}/${workspaceId}`]: remembered });
    const log = { ...silentLog, show: () => {} };
    const connections = new Connections(registry, secrets, options.transport, memento, log, Promise.resolve());
    const time = options.time ?? new PersonalTime();
    const storage = Uri.file(options.storage ?? join(tmpdir(), `platform-workbench-kept-${randomUUID()}`));
    const files = new PlatformFileSystem(connections, memento, {
      storage,
      clock: time,
      ...(options.beforeReplacing === undefined ? {} : { beforeReplacing: options.beforeReplacing }),
      chunkedSaves: options.smallChunks === true ? smallChunks : undefined,
    });
    const failed = new FailedOperations(
      files,
      (error, context) => showFailure(error, context, { connections, log }),
      options.retryTime ?? time,
    );
    const failures = files.onDidFail((operation) => failed.add(operation));
    const temporary = { dispose: () => rmSync(storage.fsPath, { recursive: true, force: true }) };
    return new FilesClient(tenantId, workspaceId, files, time, secrets, storage, [
      registry,
      secrets,
      connections,
      files,
      failures,
      failed,
      ...(options.storage === undefined ? [temporary] : []),
    ]);
  }

  uri(path: string): vscode.Uri {
    return uriOf(this.tenantId, this.workspaceId, path);
  }

  /** Makes this computer unable to store anything more for this client, as if its disk were full. */
  fillDisk(): void {
    rmSync(this.storage.fsPath, { recursive: true, force: true });
    writeFileSync(this.storage.fsPath, "");
  }

  /** Makes this computer able to store again. What was stored before is lost. */
  freeDisk(): void {
    rmSync(this.storage.fsPath, { force: true });
  }

  /** Removes the credentials of the tenant and its workspaces. */
  signOut(): Promise<void> {
    return this.#secrets.signOut(this.tenantId);
  }

  /** The events since the last call, as `created a.txt`, in order. */
  takeEvents(): readonly string[] {
    const words = ["", "changed", "created", "deleted"];
    const taken = this.#events.map(({ type, uri }) => `${words[type]} ${uri.path.slice(1)}`);
    this.#events = [];
    return taken;
  }

  refresh(): void {
    this.files.refresh(this.tenantId, this.workspaceId);
    this.takeEvents();
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}
