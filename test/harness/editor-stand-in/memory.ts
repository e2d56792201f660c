import { EventEmitter } from "./vscode.ts";

/** The editor's memento for an extension, stored as JSON like in the editor. */
export class StandInMemento {
  #text: string;
  readonly #onUpdate: (json: string) => void;

  constructor(json = "{}", onUpdate: (json: string) => void = () => {}) {
    this.#text = json;
    this.#onUpdate = onUpdate;
  }

  keys(): readonly string[] {
    return Object.keys(this.#all());
  }

  get<T>(key: string): T | undefined;
  get<T>(key: string, otherwise: T): T;
  get<T>(key: string, otherwise?: T): T | undefined {
    // Stored values have the type with which they were stored, as in the editor's own API.
    return (this.#all()[key] ?? otherwise) as T | undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#text = JSON.stringify({ ...this.#all(), [key]: value });
    this.#onUpdate(this.#text);
  }

  setKeysForSync(): void {}

  #all(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.#text);
  }
}

/** SecretStorage in memory. */
export class StandInSecrets {
  readonly #secrets = new Map<string, string>();
  readonly #changed = new EventEmitter<{ readonly key: string }>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return [...this.#secrets.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    return this.#secrets.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.#secrets.set(key, value);
    this.#changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.#secrets.delete(key);
    this.#changed.fire({ key });
  }
}
