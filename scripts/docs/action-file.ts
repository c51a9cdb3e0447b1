import { readFileSync } from "node:fs";
import * as v from "valibot";
import { parse } from "yaml";

const Input = v.strictObject({
  description: v.string(),
  required: v.boolean(),
  default: v.optional(v.string()),
});

const ActionFile = v.object({
  inputs: v.record(v.string(), Input),
  outputs: v.record(v.string(), v.strictObject({ description: v.string() })),
  runs: v.strictObject({ using: v.string(), main: v.string(), post: v.optional(v.string()) }),
});

export type ActionFile = v.InferOutput<typeof ActionFile>;

/** The folders that hold an action.yml and a README.md, relative to the project's root. */
export const actionFolders = [".", "preview", "sweep", "delete", "usage", "oauth-provider"] as const;

/** Reads an action.yml. Throws if it is not one, or if an input or output is not described. */
export function readActionFile(path: string): ActionFile {
  return v.parse(ActionFile, parse(readFileSync(path, "utf8")));
}
