import { type BundledModule, packageOf } from "./modules.ts";

/** Shorter lines, in characters, appear in unrelated files. */
const minLineLength = 40;
/** Files that share fewer lines are not the same code. Files of one package that follow one pattern share up to 23. */
const minSharedLines = 30;

/**
 * The duplicates in a bundle, as sentences: a package from two folders (two versions of it), a file in two places, and two
 * files of packages that share most of their lines (a package's ESM and CommonJS builds, or a package that contains a copy of
 * another). `read` returns the text of a file.
 */
export function findDuplicates(modules: readonly BundledModule[], read: (path: string) => string): string[] {
  return [...packagesTwice(modules), ...filesTwice(modules), ...filesAlike(modules, read)];
}

function packagesTwice(modules: readonly BundledModule[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const { path } of modules) {
    const owner = packageOf(path);
    if (owner === null) continue;
    folders.set(owner.name, (folders.get(owner.name) ?? new Set()).add(owner.folder));
  }
  return [...folders]
    .filter(([, places]) => places.size > 1)
    .map(([name, places]) => `package ${name} is bundled from ${[...places].join(" and ")}`);
}

function filesTwice(modules: readonly BundledModule[]): string[] {
  const places = new Map<string, number>();
  for (const { path, chunks } of modules) places.set(path, (places.get(path) ?? 0) + chunks.length);
  return [...places]
    .filter(([, count]) => count > 1)
    .map(([path, count]) => `file ${path} is bundled ${count} times`);
}

function filesAlike(modules: readonly BundledModule[], read: (path: string) => string): string[] {
  const paths = [...new Set(modules.map(({ path }) => path))].filter((path) => packageOf(path) !== null);
  const files = paths.map((path) => ({ path, lines: longLines(read(path)) }));
  return files.flatMap((one, index) =>
    files
      .slice(index + 1)
      .filter((other) => areAlike(one.lines, other.lines))
      .map((other) => `files ${one.path} and ${other.path} hold the same code`),
  );
}

function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((line) => other.has(line)).length;
  return shared >= minSharedLines && shared > Math.min(one.size, other.size) / 2;
}

function longLines(text: string): Set<string> {
  const lines = text.split("\n").map((line) => line.trim());
  return new Set(lines.filter((line) => line.length >= minLineLength && !line.startsWith("*")));
}
