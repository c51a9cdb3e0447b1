import * as v from "valibot";

/** A source file in the bundle. */
export interface BundledModule {
  /** Path relative to the project's root, with forward slashes. */
  readonly path: string;
  /** The chunks that contain it: one file of `dist/` each. */
  readonly chunks: readonly string[];
}

const ModuleStats = v.object({
  name: v.string(),
  chunks: v.array(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  /** The files of a concatenated module, which are also listed without chunks. */
  modules: v.optional(v.array(v.object({ name: v.string() }))),
});

const Stats = v.object({ modules: v.array(ModuleStats) });

/**
 * The files in a bundle, from the bundler's statistics (ncc's `--stats-out`), once for each place in the bundle. Node's own
 * modules and the bundler's code are left out. @throws if the statistics have another shape.
 */
export function bundledModules(stats: unknown): BundledModule[] {
  return v
    .parse(Stats, stats)
    .modules.filter(({ chunks }) => chunks.length > 0)
    .flatMap(({ name, chunks, modules }) => (modules ?? [{ name }]).map((file) => ({ ...file, chunks })))
    .filter(({ name }) => name.startsWith("./"))
    .map(({ name, chunks }) => ({ path: name.slice("./".length), chunks }));
}

/** The package that a file belongs to; null for the project's own files. */
export function packageOf(path: string): { folder: string; name: string } | null {
  const match = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (match?.[1] === undefined) return null;
  return { folder: match[0].slice(0, -1), name: match[1] };
}
