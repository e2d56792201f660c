// Loaded into the editor's server before its own code (NODE_OPTIONS): gives it log files. The editor writes those through a
// native module that this editor host comes without, so that its log channels stay empty.
import childProcess from "node:child_process";
import { appendFileSync } from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";

const levels = ["trace", "debug", "info", "warning", "error", "critical", "off"];

class Logger {
  #path;
  #level = 2;
  #isBare = false;

  constructor(_kind, _name, path) {
    this.#path = path;
    appendFileSync(path, "");
  }

  #write(level, text) {
    if (level >= this.#level) {
      const line = this.#isBare ? text : `${new Date().toISOString()} [${levels[level]}] ${text}\n`;
      appendFileSync(this.#path, line);
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

// The editor takes NODE_OPTIONS away from its extension hosts.
const { fork } = childProcess;
childProcess.fork = (path, parameters, options) =>
  fork(path, parameters, { ...options, execArgv: [...(options?.execArgv ?? []), `--import=${import.meta.url}`] });
syncBuiltinESMExports();
