// What a setting is, and the kinds of values that settings have.
import { isConfidential } from "../../../api/http/credentials.ts";

/** One input of the configuration: a text from a flag, the environment or the configuration file. */
export interface Setting<T, Need extends "required" | "optional" | "standard"> {
  readonly need: Need;
  /** One sentence or two for people. */
  readonly help: string;
  /** What counts when nothing is given. */
  readonly standard?: string;
  /** A secret comes from the environment, from the configuration file, or from a file of its own; never from a flag. */
  readonly secret: boolean;
  /** Throws a SettingFault. */
  readonly parse: (text: string) => T;
}

export type AnySetting = Setting<unknown, "required" | "optional" | "standard">;

/** Why a text is no value of a setting; it must not repeat a secret. */
export class SettingFault extends Error {
  override readonly name = "SettingFault";
}

type Parse<T> = (text: string) => T;

export function required<T>(parse: Parse<T>, help: string): Setting<T, "required"> {
  return { need: "required", help, secret: false, parse };
}

export function optional<T>(parse: Parse<T>, help: string): Setting<T, "optional"> {
  return { need: "optional", help, secret: false, parse };
}

export function standard<T>(parse: Parse<T>, value: string, help: string): Setting<T, "standard"> {
  return { need: "standard", help, secret: false, standard: value, parse };
}

export function secret<T, Need extends "required" | "optional" | "standard">(
  setting: Setting<T, Need>,
): Setting<T, Need> {
  return { ...setting, secret: true };
}

export function text(most = 512): Parse<string> {
  return (given) => {
    if (given.length > most || /[\p{Cc}]/u.test(given)) {
      throw new SettingFault(`it has to be one line of at most ${most} characters`);
    }
    return given;
  };
}

export function matching(pattern: RegExp, form: string): Parse<string> {
  return (given) => {
    if (!pattern.test(given)) {
      throw new SettingFault(`it has to be ${form}`);
    }
    return given;
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Parse<Choice> {
  return (given) => {
    const choice = choices.find((one) => one === given);
    if (choice === undefined) {
      throw new SettingFault(`it has to be one of ${choices.join(", ")}`);
    }
    return choice;
  };
}

export const flag: Parse<boolean> = (given) => oneOf("true", "false")(given) === "true";

export function whole(least: number, most: number): Parse<number> {
  return (given) => {
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < least || value > most) {
      throw new SettingFault(`it has to be a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

/** Texts with commas between them. */
export function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (given) =>
    given
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map(parse);
}

export function atLeastOne<T>(parse: Parse<readonly T[]>): Parse<readonly [T, ...T[]]> {
  return (given) => {
    const [first, ...rest] = parse(given);
    if (first === undefined) {
      throw new SettingFault("it has to name at least one");
    }
    return [first, ...rest];
  };
}

/** An address that a secret or trust may go to: https, or http to this machine. Others are named to the cross-check. */
export const address: Parse<URL> = (given) => {
  if (!URL.canParse(given)) {
    throw new SettingFault("it is no address, as https://example.com is");
  }
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new SettingFault("it has to begin with https:// and to have no user and no # in it");
  }
  return url;
};

/** An address without a query, to which paths are added. */
export const baseAddress: Parse<URL> = (given) => {
  const url = address(given);
  if (url.search !== "") {
    throw new SettingFault("it must have no ? in it");
  }
  return url;
};

/** A whole origin, as `https://app.example.com`, lower-case. */
export const origin: Parse<string> = (given) => {
  const url = address(given);
  if (url.pathname !== "/" || url.search !== "" || given.endsWith("/")) {
    throw new SettingFault("it has to be an origin: a scheme and a host, with nothing behind them");
  }
  return url.origin;
};

/** Where a server listens: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:8080`. */
export const listenAddress: Parse<{ readonly host: string; readonly port: number }> = (given) => {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(given);
  const port = Number(found?.[2]);
  if (found?.[1] === undefined || port > 65_535) {
    throw new SettingFault("it has to be host:port, as 127.0.0.1:8080");
  }
  return { host: found[1].replace(/^\[|\]$/g, ""), port };
};

/** True for an address whose traffic nobody on the way can read. */
export function isPrivate(url: URL): boolean {
  return isConfidential(url);
}

/** True for a host that only this machine reaches. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
