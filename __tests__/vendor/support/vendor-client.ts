/** The platform vendor's own command line client, in the folder in which `npm run test:vendor` installed it. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "@jest/globals";

/** The folder in which `npm run test:vendor` installed the vendor's programs. */
function vendorFolder(): string {
  const folder = process.env.VENDOR_FOLDER;
  if (folder === undefined) throw new Error("These tests need `npm run test:vendor`.");
  return folder;
}

/** How each client is called. */
export const vendorClients = {
  javascript: [process.execPath, join(vendorFolder(), "node_modules", ".bin", "langgraphjs")],
  python: [join(vendorFolder(), "python", "bin", "langgraph")],
} as const;

/** The Python that has the vendor's packages. */
export const vendorPython = join(vendorFolder(), "python", "bin", "python");

/** The folder of the package managers of JavaScript. */
export const packageManagerFolder = join(vendorFolder(), "node_modules", ".bin");

/** The folder of `uv`. */
export const uvFolder = join(vendorFolder(), "uv", "bin");

export interface ProgramResult {
  readonly exitCode: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the client in a folder, with nothing of this process's environment but what a program needs. */
export function runClient(
  [program, ...first]: readonly [string, ...string[]],
  folder: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NO_COLOR: "1",
    // It would report its use to the vendor.
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
    ...variables,
  };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, timeout: 50_000 };
    execFile(program, [...first, ...args], options, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

/** A folder with these files, for all tests of a file or a group; its path is known when they run. */
export function useFolder(files: Readonly<Record<string, string>>): () => string {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vendor-test-"));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
