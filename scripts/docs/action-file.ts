import { readFileSync } from "node:fs";
import * as v from "valibot";
import { parse } from "yaml";

const InputSchema = v.strictObject({
  description: v.string(),
  required: v.boolean(),
  default: v.optional(v.string()),
});

const ActionFileSchema = v.object({
  inputs: v.record(v.string(), InputSchema),
  outputs: v.record(v.string(), v.strictObject({ description: v.string() })),
  runs: v.strictObject({ using: v.string(), main: v.string(), post: v.optional(v.string()) }),
});

export type ActionFile = v.InferOutput<typeof ActionFileSchema>;

/** The folders that hold an action.yml and a README.md, relative to the project's root. */
export const actionFolders = [".", "preview", "sweep", "delete", "usage", "oauth-provider"] as const;

/** The content of an action.yml. Throws if it has another shape, or an input or output without a description. */
export function readActionFile(path: string): ActionFile {
  return v.parse(ActionFileSchema, parse(readFileSync(path, "utf8")));
}
