import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import { toResult } from "../errors.ts";
import { isRepositoryOfRun } from "../platform/compare-source.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { text } from "../text/message.ts";
import { type GitOptions, runGit } from "./git.ts";
import type { Checkout, SourceFile, SourceListing } from "./source-files.ts";

/** Returns the commit of the checkout that a source belongs to; undefined without one, or if git does not report it. */
export async function readCommit(
  listing: SourceListing,
  options: GitOptions,
  { report, workflow }: Context,
): Promise<CheckedOutCommit | undefined> {
  const [checkout] = listing.checkouts;
  if (checkout === undefined) return undefined;
  const read = async () => {
    const origin = await runGit(checkout, ["config", "--default", "", "--get", "remote.origin.url"], options);
    return {
      sha: await headOf(checkout, options),
      hasLocalChanges: await hasLocalChanges(listing, options),
      isOfThisRepository: isRepositoryOfRun(origin.trim(), workflow),
    };
  };
  const found = await toResult(read, options.signal);
  if ("value" in found) return found.value;
  report.info(text`The commit of the checkout is unknown. ${found.error.ending.message}`);
  return undefined;
}

async function headOf(checkout: Checkout, options: GitOptions): Promise<string> {
  return (await runGit(checkout, ["rev-parse", "--verify", "HEAD"], options)).trim();
}

async function hasLocalChanges(
  { files, checkouts, lacksFiles }: SourceListing,
  options: GitOptions,
): Promise<boolean> {
  if (lacksFiles || files.some(({ blob }) => blob === undefined)) return true;
  for (const checkout of checkouts) {
    if (checkout.commit !== undefined && checkout.commit !== (await headOf(checkout, options))) return true;
    // Only the index is compared: to compare files, git would run their filters.
    const staged = await runGit(
      checkout,
      ["diff-index", "--cached", "--name-only", "HEAD", "--", "."],
      options,
    );
    const tracked = files.filter((file) => file.checkout === checkout);
    if (staged !== "" || (await isAnyChanged(checkout, tracked, options))) return true;
  }
  return false;
}

const hashCommand = ["hash-object", "--no-filters", "--stdin-paths"];
/** Attributes by which git converts a file: its content is not that which git tracks. */
const conversions = ["filter", "ident", "working-tree-encoding"];
/** Prints `path\0attribute\0value\0` for each path and attribute. */
const attributesCommand = ["check-attr", "--stdin", "-z", ...conversions];

/** Whether any of these files differs from what git tracks, as far as git does not convert it. */
async function isAnyChanged(
  checkout: Checkout,
  files: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  const pathOf = ({ path }: SourceFile) => path.slice(checkout.prefix.length);
  const placeOf = (file: SourceFile) => join(checkout.folder, pathOf(file));
  const places = files.map((file) => quoted(placeOf(file))).join("\n");
  const hashes = (await runGit(checkout, hashCommand, options, places)).split("\n");
  const differing = files.filter(({ blob }, index) => blob !== hashes[index]);
  const paths = differing.map(pathOf).join("\0");
  const records = (await runGit(checkout, attributesCommand, options, paths)).split("\0");
  for (const [index, file] of differing.entries()) {
    const values = conversions.map((_name, number) => records[(index * conversions.length + number) * 3 + 2]);
    const isConverted = values.some((value) => value !== "unset" && value !== "unspecified");
    if (!isConverted && !(await differsInLineEndsAlone(placeOf(file), file))) return true;
  }
  return false;
}

/** Writes an absolute path as a line for git, which reads octal codes of bytes in quotes. */
function quoted(path: string): string {
  if (!/\p{Cc}/u.test(path)) return path;
  const codes = [...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return `"${codes.join("")}"`;
}

/** Whether git may have converted the line ends of a file, and its content is what git tracks apart from them. */
async function differsInLineEndsAlone(place: string, { blob = "", bytes }: SourceFile): Promise<boolean> {
  // No text is larger.
  if (bytes > 100_000_000) return false;
  const content = (await readFile(place, "latin1")).replaceAll("\r\n", "\n");
  const hash = createHash(blob.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0${content}`, "latin1").digest("hex") === blob;
}
