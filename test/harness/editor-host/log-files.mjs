// Loaded into the editor's server before its own code (--import) to write log files. The editor writes them with a
// native module that this editor host doesn't have, so its output channels would be empty.
import childProcess from "node:child_process";
import { appendFileSync, existsSync, renameSync, statSync, truncateSync } from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { join, parse } from "node:path";

const levels = ["trace", "debug", "info", "warning", "error", "critical", "off"];

class Logger {
  #path;
  #level = 2;
  #isBare = false;
  #size;
  #mostBytes;
  #mostFiles;

  constructor(_kind, _name, path, mostBytes = Number.POSITIVE_INFINITY, mostFiles = 1) {
    this.#path = path;
    this.#mostBytes = mostBytes;
    this.#mostFiles = mostFiles;
    appendFileSync(path, "");
    this.#size = statSync(path).size;
  }

  /** Like the native module: `name.log` is the newest file, `name.1.log` the previous one. */
  #rotate() {
    const { dir, name, ext } = parse(this.#path);
    const older = (index) => (index === 0 ? this.#path : join(dir, `${name}.${index}${ext}`));
    for (let index = this.#mostFiles - 2; index >= 0; index -= 1) {
      if (existsSync(older(index))) renameSync(older(index), older(index + 1));
    }
    if (this.#mostFiles < 2) truncateSync(this.#path);
    this.#size = 0;
  }

  #write(level, text) {
    if (level >= this.#level) {
      const line = this.#isBare ? text : `${new Date().toISOString()} [${levels[level]}] ${text}\n`;
      const bytes = Buffer.byteLength(line);
      try {
        if (this.#size > 0 && this.#size + bytes > this.#mostBytes) this.#rotate();
        appendFileSync(this.#path, line);
      } catch {
        // A full disk or a removed folder. The editor would log an error, which fails again, without end.
        return;
      }
      this.#size += bytes;
    }
  }

  trace = (text) => this.#write(0, text);
  debug = (text) => this.#write(1, text);
  info = (text) => this.#write(2, text);
  warn = (text) => this.#write(3, text);
  error = (text) => this.#write(4, text);
  critical = (text) => this.#write(5, text);
  getLevel = () => this.#level;
  setLevel = (level) => {
    this.#level = level;
  };
  clearFormatters = () => {
    this.#isBare = true;
  };
  setPattern() {}
  flush() {}
  drop() {}
}

globalThis[Symbol.for("platform-workbench log files")] = { version: 0, setLevel() {}, setFlushOn() {}, Logger };

const source = 'module.exports = () => globalThis[Symbol.for("platform-workbench log files")];';

registerHooks({
  resolve(specifier, context, next) {
    return specifier === "bindings" && /@vscode[/\\]spdlog/.test(context.parentURL ?? "")
      ? { url: "platform-workbench:log-files", format: "commonjs", shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    return url === "platform-workbench:log-files"
      ? { source, format: "commonjs", shortCircuit: true }
      : next(url, context);
  },
});

// The editor removes NODE_OPTIONS from its extension hosts.
const { fork } = childProcess;
childProcess.fork = (path, parameters, options) =>
  fork(path, parameters, { ...options, execArgv: [...(options?.execArgv ?? []), `--import=${import.meta.url}`] });
syncBuiltinESMExports();
