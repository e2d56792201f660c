import { EventEmitter } from "./vscode.ts";

/** The editor's memory for an extension, kept as JSON the way the editor keeps it. */
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
    // What a person's editor kept is of the shape that was put there, as the editor's own API has it.
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
