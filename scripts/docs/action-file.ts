import { readFileSync } from "node:fs";
import * as v from "valibot";
import { isMap, isScalar, parseDocument } from "yaml";

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

export interface ActionFile extends v.InferOutput<typeof ActionFileSchema> {
  /** The names of the inputs by their group, both in the order of the file. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** The folders that hold an action.yml and a README.md, relative to the project's root. */
export const actionFolders = [
  ".",
  "preview",
  "sweep",
  "delete",
  "rollback",
  "check",
  "usage",
  "oauth-provider",
] as const;

/**
 * The content of an action.yml. Throws if it has another shape, an input or output without a description, or an input
 * without a group.
 */
export function readActionFile(path: string): ActionFile {
  return parseActionFile(readFileSync(path, "utf8"), path);
}

/** Like `readActionFile`, for the text of the file at `path`. */
export function parseActionFile(text: string, path: string): ActionFile {
  const document = parseDocument(text);
  return {
    ...v.parse(ActionFileSchema, document.toJS()),
    groups: readGroups(document.get("inputs", true), path),
  };
}

/** A group begins at a comment line, such as `# Where`, and ends at the next one. */
function readGroups(inputs: unknown, path: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  if (!isMap(inputs)) return groups;
  // The parser attaches the comment of the first key to the map.
  let title = inputs.commentBefore?.trim();
  for (const { key } of inputs.items) {
    if (!isScalar(key)) continue;
    title = key.commentBefore?.trim() ?? title;
    if (title === undefined) {
      throw new Error(
        `The input ${key.value} has no group. Put it below a comment line such as "# Where" in ${path}.`,
      );
    }
    groups.set(title, [...(groups.get(title) ?? []), String(key.value)]);
  }
  return groups;
}
