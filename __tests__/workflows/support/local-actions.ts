/** The actions that a workflow uses, as folders of this machine: act is not to fetch anything. */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/support/run.ts";

const standIns = join(import.meta.dirname, "..", "actions");

/** act copies its work folder itself instead of running this action. */
export const DONE_BY_ACT = "actions/checkout";

/** Copies what users of the actions get: the built action, its folders and the reusable workflow. */
export function copyOwnActions(folder: string): void {
  const folders = readdirSync(root).filter((name) => existsSync(join(root, name, "action.yml")));
  for (const path of ["action.yml", "dist", ".github/workflows", ...folders]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
}

/**
 * The options of act that replace the actions of a workflow by local folders: ours by `ownFolder`, others by stand-ins.
 * @throws if an action has no stand-in
 */
export function localRepositories(workflow: string, ownFolder: string): string[] {
  return [...repositoriesIn(workflow)].flatMap((repository) => {
    const [name = ""] = repository.split("@");
    if (name === DONE_BY_ACT) return [];
    const folder = name === "OWNER/REPO" ? ownFolder : join(standIns, name);
    if (!existsSync(join(folder, "action.yml"))) {
      throw new Error(`There is no stand-in for ${name}. Add one in __tests__/workflows/actions/${name}/.`);
    }
    return ["--local-repository", `${repository}=${folder}`];
  });
}

/** Each as `owner/name@ref`, those of called workflows too. */
function repositoriesIn(workflow: string): Set<string> {
  const uses = [...workflow.matchAll(/\buses: +([\w.-]+\/[\w.-]+)(\/[^@\s]+)?@(\S+)/g)];
  const found = uses.flatMap(([, name, path = "", ref]) => {
    const isCall = name === "OWNER/REPO" && path.endsWith(".yml");
    const called = isCall ? repositoriesIn(readFileSync(join(root, path), "utf8")) : [];
    return [`${name}@${ref}`, ...called];
  });
  return new Set(found);
}
