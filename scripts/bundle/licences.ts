import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type BundledModule, packageOf } from "./modules.ts";

const Manifest = v.object({ name: v.string(), version: v.string(), license: v.string() });

/**
 * The licence texts of all packages in the bundle, in the order of their names: most licences must be distributed with the
 * code. @throws if a package has no licence text.
 */
export function licenceTexts(root: string, modules: readonly BundledModule[]): string {
  const folders = new Set(modules.flatMap(({ path }) => packageOf(path)?.folder ?? []));
  return [...folders]
    .sort()
    .map((folder) => licenceText(join(root, folder)))
    .join("\n");
}

function licenceText(folder: string): string {
  const manifest = v.parse(Manifest, JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)([.-]\w+)?$/i.test(name));
  if (file === undefined) throw new Error(`${manifest.name} is bundled, but has no licence file`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
}
