import * as z from "zod/mini";
import { credentialSlug } from "../../../api/catalogue/models/front-door.ts";

// The types of settings. Each one makes a value of a text. An error continues a sentence that begins with the name and
// source of the setting, and never contains a secret. A description says what is expected, for the documentation.

/** A type whose values are given as texts. */
export type SettingType = z.ZodMiniType<unknown, string>;

/** One line. */
export const text = (max = 512) =>
  z.string().check(
    z.refine((given) => given.length <= max && !/\p{Cc}/u.test(given), {
      error: `it must be one line of at most ${max} characters`,
    }),
  );

export const matching = (pattern: RegExp, form: string) =>
  z.string().check(z.regex(pattern, { error: `it must be ${form}` }));

export const oneOf = <const Choice extends string>(choices: readonly Choice[]) => {
  const form = `one of ${choices.join(", ")}`;
  return z.enum(choices, { error: `it must be ${form}` }).check(z.describe(form));
};

export const flag = z.pipe(
  oneOf(["true", "false"]),
  z.transform((given) => given === "true"),
);

const wholeForm = (least: number, max: number): string => `a whole number from ${least} to ${max}`;

export const whole = (least: number, max: number) => {
  const form = wholeForm(least, max);
  const error = `it must be ${form}`;
  const digits = z.string().check(z.regex(/^\d+$/, { error }));
  const bounded = z.number({ error }).check(z.minimum(least, { error }), z.maximum(max, { error }));
  return z.pipe(z.pipe(digits, z.transform(Number)), bounded).check(z.describe(form));
};

/** A duration in seconds, as milliseconds. */
export const seconds = (least: number, max: number) =>
  z
    .pipe(
      whole(least, max),
      z.transform((value) => value * 1000),
    )
    .check(z.describe(wholeForm(least, max)));

/** Values separated by commas. */
export const list = <T extends SettingType>(type: T) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((given): readonly string[] =>
        given
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== ""),
      ),
    ),
    z.readonly(z.array(type)),
  );

/** A list that is not empty. */
export const atLeastOne = <T>(type: z.ZodMiniType<readonly T[], string>, error: string) =>
  z.pipe(
    type,
    z.transform(([first, ...rest]: readonly T[], { issues }): readonly [T, ...T[]] => {
      if (first === undefined) {
        issues.push({ code: "custom", message: error, input: undefined });
        return z.NEVER;
      }
      return [first, ...rest];
    }),
  );

export const parameterName = matching(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "a parameter's name");

/** A slug that can contain `{tenant}` once, and other placeholders. */
export const slugWith = (...placeholders: readonly string[]) =>
  z.string().check(
    ...placeholders.map((one) =>
      z.refine<string>((given) => given.split(one).length === 2, {
        error: `it must contain ${one} exactly once`,
      }),
    ),
    z.refine((given) => given.split("{tenant}").length <= 2, { error: "it may contain {tenant} only once" }),
    z.refine(
      (given) =>
        credentialSlug.safeParse(["{tenant}", ...placeholders].reduce((slug, one) => slug.replace(one, "0"), given))
          .success,
      { error: "it may contain only lowercase letters, digits, _, and -" },
    ),
  );

const internalSecretError = "each secret needs at least 16 visible ASCII characters";

/** Values separated by spaces: the one that is sent, and possibly another one that is accepted. */
export const internalSecrets = atLeastOne(
  z
    .pipe(
      z.pipe(
        z.string(),
        z.transform((given) => given.split(/\s+/).filter((one) => one !== "")),
      ),
      z.array(z.string().check(z.regex(/^[\x21-\x7e]{16,}$/, { error: internalSecretError }))),
    )
    .check(z.maxLength(2, { error: "at most two secrets are allowed" })),
  internalSecretError,
);

export const stateSecret = z
  .string()
  .check(z.refine((given) => Buffer.byteLength(given) >= 32, { error: "it needs at least 32 characters" }));
