/** How the packages of a folder are installed: https://github.com/langchain-ai/langgraph, `_get_node_pm_install_cmd`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

/** In the order in which the platform looks for them. */
const LOCK_FILES: ReadonlyMap<string, readonly string[]> = new Map([
  ["yarn.lock", ["yarn", "install", "--frozen-lockfile"]],
  ["pnpm-lock.yaml", ["pnpm", "install", "--frozen-lockfile"]],
  ["package-lock.json", ["npm", "ci"]],
  ["bun.lock", ["bun", "install"]],
  ["bun.lockb", ["bun", "install"]],
]);

const PackageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ packageManager: v.pipe(v.string(), v.regex(/^(yarn|pnpm|bun)(@|$)/)) }),
  v.transform(({ packageManager }) => packageManager.replace(/@.*/, "")),
);

/** The program and its arguments; undefined if there is nothing to install. */
export function installPackagesCommand(folder: string): readonly string[] | undefined {
  for (const [file, command] of LOCK_FILES) if (existsSync(join(folder, file))) return command;
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  const named = v.safeParse(PackageSchema, readFileSync(file, "utf8"));
  return [named.success ? named.output : "npm", "install"];
}
