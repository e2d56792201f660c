// Another client of a notebook's kernel, such as JupyterLab: a plain WebSocket with Jupyter's JSON messages.
import { randomUUID } from "node:crypto";
import type * as vscode from "vscode";
import { addressOf } from "../../src/tenants/workspace-uri.ts";
import { kernelTenant as tenant } from "./kernel-notebooks.ts";

interface Message {
  readonly channel: string;
  readonly header: { readonly msg_type: string };
  readonly parent_header: { readonly msg_id?: string; readonly session?: string };
  readonly content: { readonly code?: string; readonly text?: string; readonly execution_state?: string };
}

/** An execution whose end is awaited. */
interface Waiting {
  text: string;
  hasReply: boolean;
  isIdle: boolean;
  readonly resolve: (text: string) => void;
}

export class OtherKernelClient {
  readonly kernelId: string;
  /** Code that other clients ran, in order. */
  readonly seen: string[] = [];
  readonly #session = randomUUID();
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, Waiting>();

  private constructor(kernelId: string) {
    this.kernelId = kernelId;
    const address = new URL(`api/kernels/${kernelId}/channels?session_id=${this.#session}`, tenant.contentUrl);
    address.protocol = "ws:";
    address.searchParams.set("token", tenant.secrets[1]);
    this.#socket = new WebSocket(address);
    this.#socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data)) as Message));
  }

  /** Opens the session of the notebook, as JupyterLab does with the notebook, and connects to its kernel. */
  static async of({ uri }: vscode.NotebookDocument): Promise<OtherKernelClient> {
    const { path } = addressOf(uri);
    const session = await asked("POST", "api/sessions", {
      path,
      type: "notebook",
      name: "",
      kernel: { name: "python3" },
    });
    const client = new OtherKernelClient((session as { readonly kernel: { readonly id: string } }).kernel.id);
    await new Promise((resolve, reject) => {
      client.#socket.addEventListener("open", resolve);
      client.#socket.addEventListener("error", () => reject(new Error("The other client did not connect.")));
    });
    return client;
  }

  /** Runs code and returns what it printed, at its end or at the kernel's. */
  run(code: string): Promise<string> {
    const id = randomUUID();
    const header = { msg_id: id, msg_type: "execute_request", session: this.#session, username: "", version: "5.4" };
    const content = { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
    return new Promise((resolve) => {
      this.#waiting.set(id, { text: "", hasReply: false, isIdle: false, resolve });
      this.#socket.send(JSON.stringify({ channel: "shell", header, parent_header: {}, metadata: {}, content }));
    });
  }

  /** Restarts the kernel. */
  async restart(): Promise<void> {
    await asked("POST", `api/kernels/${this.kernelId}/restart`, {});
    for (const { resolve, text } of this.#waiting.values()) {
      resolve(text);
    }
  }

  /** Shuts down the kernel. */
  async shutDown(): Promise<void> {
    await asked("DELETE", `api/kernels/${this.kernelId}`);
  }

  close(): void {
    this.#socket.close();
  }

  #take({ channel, header: { msg_type }, parent_header: parent, content }: Message): void {
    if (msg_type === "execute_input" && parent.session !== this.#session) {
      this.seen.push(content.code ?? "");
    }
    const waiting = this.#waiting.get(parent.msg_id ?? "");
    if (waiting === undefined) {
      return;
    }
    waiting.text += msg_type === "stream" ? (content.text ?? "") : "";
    waiting.hasReply ||= channel === "shell";
    waiting.isIdle ||= content.execution_state === "idle";
    if (waiting.hasReply && waiting.isIdle) {
      waiting.resolve(waiting.text);
    }
  }
}

async function asked(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(new URL(path, tenant.contentUrl), {
    method,
    headers: { authorization: `token ${tenant.secrets[1]}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status}`);
  }
  return response.status === 204 ? undefined : response.json();
}
