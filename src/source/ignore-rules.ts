import { lstat } from "node:fs/promises";
import { join } from "node:path";
import library from "@balena/dockerignore";
import ignore, { type Ignore } from "ignore";
import { readSourceFile } from "./source-files.ts";

/**
 * The rules of `.gitignore` files. Paths are relative to the checkout, with `/` between their parts. Git matches bytes and
 * not characters (`?` is half an "é"), so the library gets texts and paths with a character for each byte.
 */
export class GitIgnoreRules {
  readonly #rules: Ignore;

  constructor(rules: Ignore = ignore({ ignorecase: false })) {
    this.#rules = rules;
  }

  /** These rules and those of a folder's file, which win. `folder`: `""` for the checkout itself. */
  with(folder: string, text: Buffer): GitIgnoreRules {
    const lines = text
      .toString("latin1")
      .replace(/^\xef\xbb\xbf/, "")
      .split(/\r?\n/);
    const patterns = folder === "" ? lines : lines.flatMap((line) => patternBelow(bytewise(folder), line));
    return new GitIgnoreRules(ignore({ ignorecase: false }).add(this.#rules).add(patterns));
  }

  /** Whether the rules leave out this path. That of a folder ends in `/`. */
  ignores(path: string): boolean {
    return this.#rules.ignores(bytewise(path));
  }
}

function bytewise(path: string): string {
  return Buffer.from(path).toString("latin1");
}

/** A folder's `.gitignore`, empty if it has none. @throws Failure if it can't be read */
export async function readGitIgnore(folder: string): Promise<Buffer> {
  return await readRules(join(folder, ".gitignore"));
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

/** Whether a `.dockerignore` file leaves out a path, which is relative to its folder. */
export type DockerIgnore = (path: string) => boolean;

/** The rules of a folder's `.dockerignore`, as Docker reads it. @throws Failure if it can't be read */
export async function readDockerIgnore(folder: string): Promise<DockerIgnore> {
  const text = await readRules(join(folder, ".dockerignore"));
  if (text.length === 0) return () => false;
  const lines = text
    .toString()
    .replace(/^\ufeff/, "")
    .split(/\r?\n/);
  const rules = library.default({ ignorecase: false }).add(lines.map(escapeLiterals));
  return (path) => rules.ignores(path);
}

/**
 * Docker takes these characters literally, and the library does not:
 * https://github.com/moby/patternmatcher/blob/main/patternmatcher.go (escapeBytes)
 */
function escapeLiterals(pattern: string): string {
  return pattern.replaceAll(/\\.|[+()|{}]/g, (matched) => (matched.length > 1 ? matched : `\\${matched}`));
}

/** A file of ignore rules, empty if there is none. Git does not follow a link there. */
async function readRules(path: string): Promise<Buffer> {
  const entry = await lstat(path).catch(() => undefined);
  if (!entry?.isFile()) return Buffer.alloc(0);
  return await readSourceFile(path);
}
