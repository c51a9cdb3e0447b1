import { join } from "node:path";
import { actionFolders, readActionFile } from "../../scripts/docs/action-file.ts";
import { root } from "../../scripts/support/run.ts";

/** The names of the inputs in each action.yml. */
export const inputsOf: ReadonlyMap<string, readonly string[]> = new Map(
  actionFolders.map((folder) => [
    folder === "." ? "deploy" : folder,
    Object.keys(readActionFile(join(root, folder, "action.yml")).inputs),
  ]),
);

export const allInputs: ReadonlySet<string> = new Set([...inputsOf.values()].flat());
