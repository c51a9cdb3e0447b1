import * as v from "valibot";

/** A source file that the bundler put into the bundle. */
export interface BundledModule {
  /** Path relative to the project's root, with forward slashes. */
  readonly path: string;
  /** The chunks it stands in: one file of `dist/` each. */
  readonly chunks: readonly string[];
}

const ModuleStats = v.object({
  name: v.string(),
  chunks: v.array(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  /** The files of a concatenated module, which the bundler lists once more without their chunks. */
  modules: v.optional(v.array(v.object({ name: v.string() }))),
});

const Stats = v.object({ modules: v.array(ModuleStats) });

/**
 * The files behind a bundle, read from the bundler's statistics (ncc's `--stats-out`). A file that stands in the bundle
 * at several places is listed once for each. What the bundler made itself and node's own modules are left out.
 * Throws if the statistics do not have the form that webpack gives them.
 */
export function bundledModules(stats: unknown): BundledModule[] {
  return v
    .parse(Stats, stats)
    .modules.filter(({ chunks }) => chunks.length > 0)
    .flatMap(({ name, chunks, modules }) => (modules ?? [{ name }]).map((file) => ({ ...file, chunks })))
    .filter(({ name }) => name.startsWith("./"))
    .map(({ name, chunks }) => ({ path: name.slice("./".length), chunks }));
}

/** The folder of the package that a file belongs to and the package's name, or null for the project's own files. */
export function packageOf(path: string): { folder: string; name: string } | null {
  const match = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (match?.[1] === undefined) return null;
  return { folder: match[0].slice(0, -1), name: match[1] };
}
