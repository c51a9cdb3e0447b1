import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { readError } from "./errors.ts";

/** The rules of `.gitignore` files. Paths are relative to the checkout, with `/` between their parts. */
export class GitIgnoreRules {
  readonly #rules: Ignore;

  constructor(rules: Ignore = ignore({ ignorecase: false })) {
    this.#rules = rules;
  }

  /** These rules and those of a folder's file, which win. `folder`: `""` for the checkout itself. */
  with(folder: string, text: string): GitIgnoreRules {
    const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
    const patterns = folder === "" ? lines : lines.flatMap((line) => patternBelow(folder, line));
    return new GitIgnoreRules(ignore({ ignorecase: false }).add(this.#rules).add(patterns));
  }

  /** Whether the rules leave out this path. That of a folder ends in `/`. */
  ignores(path: string): boolean {
    return this.#rules.ignores(path);
  }
}

/** The text of a folder's `.gitignore`, `""` if it has none. Git does not follow a link there. */
export async function readGitIgnore(folder: string): Promise<string> {
  const path = join(folder, ".gitignore");
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return "";
  return await readFile(path, "utf8").catch((cause: unknown) => {
    throw readError(path, cause);
  });
}

/**
 * A pattern of a nested file as it would stand in the checkout's own: one with a slash before its end is relative to its
 * folder, any other applies at every depth (https://git-scm.com/docs/gitignore#_pattern_format).
 */
function patternBelow(folder: string, line: string): string[] {
  if (line.trim() === "" || line.startsWith("#")) return [];
  const [, negation = "", pattern = ""] = /^(!?)(.*)$/s.exec(line) ?? [];
  const isRelative = /\/./.test(pattern.trimEnd());
  const place = `/${folder.replaceAll(/[\\*?[\]!# ]/g, "\\$&")}/`;
  return [`${negation}${place}${isRelative ? pattern.replace(/^\//, "") : `**/${pattern}`}`];
}
