import { readFile, realpath } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import { isReservedName } from "../../platform/langsmith-rules.ts";
import { asObject } from "../../text/json.ts";
import { code, inputName, listFirst, text } from "../../text/message.ts";
import type { ConfigFile, Mistake } from "./config-file.ts";

/** The vendor's clients send the variables of `env`, or of the file that it names, beside the archive. */
export async function unsentVariables(config: ConfigFile): Promise<Mistake | undefined> {
  const { env } = config.content;
  const names = typeof env === "string" ? await readNames(env, config) : namesOf(asObject(env) ?? {});
  const unsent = names.filter((name) => !config.given.variables.includes(name) && !isReservedName(name));
  if (unsent.length === 0) return undefined;
  return {
    problem: text`sets variables in ${code("env")}, which this action does not send: ${listFirst(unsent.map((name) => code(name)))}`,
    hint: text`Add them to ${inputName("secrets")} or ${inputName("env_vars")}.`,
    keys: ["env"],
  };
}

function namesOf(env: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(env).filter((name) => env[name] !== "");
}

/** `NAME=value`, with a value in quotes over several lines. Base64 without quotes has `=` at its end alone. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s#].*))/gm;

/** The names in a file of the workspace. It need not be in the archive. */
async function readNames(name: string, { path, archive }: ConfigFile): Promise<string[]> {
  const { folder, workspace } = archive;
  const place = join(folder, posix.dirname(path), name);
  const real = await realpath(place).catch(() => "");
  if (!real.startsWith(`${workspace}${sep}`)) return [];
  const content = await readFile(real, "utf8").catch(() => "");
  return [...content.matchAll(assignment)].flatMap(([, variable = "", ...values]) =>
    values.join("") === "" ? [] : [variable],
  );
}
