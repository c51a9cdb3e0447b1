import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packArchive, type SourceArchive } from "../../src/source/archive.ts";
import { listFiles } from "../../src/source/list-files.ts";

/** A file by its content, or a link by its target. */
export type Entry =
  | string
  | { readonly content: string; readonly mode: number }
  | { readonly link: string }
  | { readonly hardLink: string };
export type Tree = Readonly<Record<string, Entry>>;

/** A configuration file that names no file. */
export const plainConfig = JSON.stringify({ dependencies: ["."], graphs: { agent: "agent:graph" } });

/** Calls with a new folder, which is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "source-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes files below a folder; hard links last. */
export function writeTree(folder: string, tree: Tree): void {
  const entries = Object.entries(tree);
  const isHardLink = (entry: Entry) => typeof entry === "object" && "hardLink" in entry;
  for (const [path, entry] of entries.toSorted(
    ([, one], [, other]) => Number(isHardLink(one)) - Number(isHardLink(other)),
  )) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (typeof entry === "string") writeFileSync(target, entry);
    else if ("link" in entry) symlinkSync(entry.link, target);
    else if ("hardLink" in entry) linkSync(join(folder, entry.hardLink), target);
    else {
      writeFileSync(target, entry.content);
      chmodSync(target, entry.mode);
    }
  }
}

/** Runs git in a folder, without any configuration of this machine, and returns what it prints. */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: tmpdir(),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  return execFileSync("git", [...identity, "-C", folder, ...args], { env, encoding: "utf8", stdio: "pipe" });
}

/** Packs a folder; by default it is the workspace too. */
export async function pack(path: string, workspace = path, maxBytes = 2 ** 20): Promise<SourceArchive> {
  const options = sourceOptions();
  return await packArchive(await listFiles({ path, workspace }, options), maxBytes, options);
}

/** Those of a run that nobody cancels. */
export function sourceOptions() {
  return { temporaryFolder: tmpdir(), signal: new AbortController().signal };
}

/** The paths of the files in the archive of a folder. */
export async function listed(path: string, workspace = path): Promise<string[]> {
  return (await listFiles({ path, workspace }, sourceOptions())).files.map((file) => file.path);
}

/** A file as `tar` made it from an archive. */
export interface UnpackedFile {
  readonly content: string;
  readonly isExecutable: boolean;
}

/** Unpacks an archive with the system's `tar`. */
export async function unpack(archive: SourceArchive): Promise<Record<string, UnpackedFile>> {
  return await unpackBytes(await bytesOf(archive));
}

/** The compressed archive. */
export async function bytesOf(archive: SourceArchive): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of await archive.read(() => {})) parts.push(part);
  return Buffer.concat(parts);
}

/** The names of the entries of an archive, in order, as the system's `tar` reads them. */
export async function tarNames(archive: SourceArchive): Promise<string[]> {
  const names = execFileSync("tar", ["-tzf", "-", "--quoting-style=literal"], {
    input: await bytesOf(archive),
    encoding: "utf8",
  });
  return names.trimEnd().split("\n");
}

/** Unpacks a gzipped tar with the system's `tar`. */
export async function unpackBytes(packed: Buffer): Promise<Record<string, UnpackedFile>> {
  return await inFolder((folder) => {
    execFileSync("tar", ["-xzf", "-", "-C", folder], { input: packed });
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const files = paths.filter((path) => statSync(join(folder, path)).isFile());
    return Object.fromEntries(
      files.map((path) => [
        path,
        {
          content: readFileSync(join(folder, path), "utf8"),
          isExecutable: (statSync(join(folder, path)).mode & 0o111) === 0o111,
        },
      ]),
    );
  });
}
