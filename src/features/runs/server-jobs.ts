import type * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { listJobs } from "../../api/runs/jupyter-scheduler.ts";
import type { Connections } from "../../tenants/connections.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { type JobRow, jobRow } from "./job-rows.ts";

/** The jobs of Jupyter Scheduler. A server that doesn't have it is asked once. */
export class ServerJobs {
  readonly #connections: Pick<Connections, "content">;
  /** The servers without it, as `tenant/workspace address`. */
  readonly #without = new Set<string>();

  constructor(connections: Pick<Connections, "content">) {
    this.#connections = connections;
  }

  /** The jobs of a notebook, newest first. Throws a PlatformError. */
  async rowsOf(notebook: vscode.Uri): Promise<readonly JobRow[]> {
    const { tenantId, workspaceId, path } = addressOf(notebook);
    const client = await this.#connections.content(tenantId, workspaceId);
    const server = `${tenantId}/${workspaceId} ${client.base.href}`;
    if (this.#without.has(server)) {
      return [];
    }
    const found = await listJobs(client, nameOf(path));
    if (found.type === "none") {
      this.#without.add(server);
      return [];
    }
    return found.jobs.map((job) => jobRow(job, notebook));
  }

  /** Asks all servers again, or those of a tenant. */
  askAgain(tenantId?: string): void {
    for (const server of this.#without) {
      if (tenantId === undefined || server.startsWith(`${tenantId}/`)) {
        this.#without.delete(server);
      }
    }
  }
}
