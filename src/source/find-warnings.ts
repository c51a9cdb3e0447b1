import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { code, listFirst, type Message, text } from "../text/message.ts";
import type { SourceFile, SourceFolder, SourceListing } from "./source-files.ts";

const example = /\.(example|sample|template|dist)$/;
/** Names, some with the folder around them. */
const credentials: readonly RegExp[] = [
  /^\.env(\..+)?$/,
  /.\.(pem|p12|pfx|key|jks)$/,
  /^id_(rsa|ecdsa|ed25519)$/,
  /^\.(npmrc|netrc|pypirc|git-credentials)$/,
  /^\.docker\/config\.json$/,
  /^\.aws\/credentials$/,
  /^\.kube\/config$/,
  /^application_default_credentials\.json$/,
  /^service-account.*\.json$/,
  /.\.tfstate$/,
];

/** What an archive should not hold, or lacks because of how it was checked out. */
export async function findWarnings(
  { files, missingSubmodules }: SourceListing,
  { path: folder }: SourceFolder,
): Promise<Message[]> {
  const untracked = files.filter(({ blob, path }) => blob === undefined && !example.test(path));
  const found: readonly [readonly string[], (paths: Message) => Message][] = [
    [
      pathsOf(untracked).filter(looksLikeCredentials),
      (paths) =>
        text`Files that look like credentials are uploaded, although Git does not track them: ${paths}. If an earlier step wrote them, remove them before this one, or name them in ${code(".gitignore")}.`,
    ],
    [
      pathsOf(await lfsPointers(files, folder)),
      (paths) =>
        text`Pointers of Git LFS are uploaded in place of files: ${paths}. Set ${code("lfs: true")} for ${code("actions/checkout")}.`,
    ],
    [
      missingSubmodules,
      (paths) =>
        text`Submodules are not checked out, so the archive lacks them: ${paths}. Set ${code("submodules: true")} for ${code("actions/checkout")}.`,
    ],
  ];
  return found.flatMap(([paths, toWarning]) =>
    paths.length === 0 ? [] : [toWarning(listFirst(paths.map((path) => code(path))))],
  );
}

/** By its name, or by its name and that of the folder around it. */
function looksLikeCredentials(path: string): boolean {
  const names = path.split("/");
  const [name = "", withFolder = ""] = [names.at(-1), names.slice(-2).join("/")];
  return credentials.some((pattern) => pattern.test(name) || pattern.test(withFolder));
}

function pathsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}

/** The files that are pointers: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
async function lfsPointers(files: readonly SourceFile[], folder: string): Promise<SourceFile[]> {
  const pointers: SourceFile[] = [];
  for (const file of files.filter(({ bytes }) => bytes > 120 && bytes < 200)) {
    const content = await readFile(join(folder, file.path), "latin1");
    if (content.startsWith("version https://git-lfs.github.com/spec/v1\n")) pointers.push(file);
  }
  return pointers;
}
