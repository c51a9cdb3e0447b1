import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";

const ScalarSchema = v.union([v.string(), v.number(), v.boolean()]);
const DefinitionSchema = v.object({
  inputs: v.optional(
    v.record(v.string(), v.nullable(v.object({ default: v.optional(v.nullable(ScalarSchema)) }))),
    {},
  ),
  runs: v.object({ using: v.string(), main: v.string(), post: v.optional(v.string()) }),
});

export type Phase = "main" | "post";

export interface ActionDefinition {
  /** The default of each input, by its name in `action.yml`; empty if it has none. */
  readonly defaults: ReadonlyMap<string, string>;
  /** The absolute path of the script of each phase. */
  readonly scripts: Readonly<Record<Phase, string | undefined>>;
}

/** The only expression that these defaults use; the runner would evaluate any. */
const tokenExpression = /^\$\{\{\s*github\.token\s*\}\}$/u;

function evaluate(name: string, value: string, token: string): string {
  if (tokenExpression.test(value)) return token;
  if (value.includes("${{")) {
    throw new Error(
      `The default of input ${name} is an expression that this stand-in for the runner does not know`,
    );
  }
  return value;
}

/** The `action.yml` in a folder, its defaults evaluated for a job with this token. @throws if it can't be read or is invalid. */
export async function readActionDefinition(folder: string, token: string): Promise<ActionDefinition> {
  const { inputs, runs } = v.parse(
    DefinitionSchema,
    parse(await readFile(join(folder, "action.yml"), "utf8")),
  );
  const defaults = Object.entries(inputs).map(
    ([name, input]) => [name, evaluate(name, String(input?.default ?? ""), token)] as const,
  );
  return {
    defaults: new Map(defaults),
    scripts: {
      main: join(folder, runs.main),
      post: runs.post === undefined ? undefined : join(folder, runs.post),
    },
  };
}
