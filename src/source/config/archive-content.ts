import { foldersOf, inWorkspace, type SourceFolder, type SourceListing } from "../source-files.ts";

/** What will be in an archive, for the rules about its configuration file. */
export type ArchiveContent = Readonly<ReturnType<typeof describeContent>>;

export function describeContent(listing: SourceListing, { path: folder, workspace }: SourceFolder) {
  const paths = listing.files.map(({ path }) => path);
  return {
    folder,
    workspace,
    /** The folder in the workspace, with `/` between its parts; `""` if it is the workspace. */
    inWorkspace: inWorkspace(folder, workspace),
    files: new Set(paths),
    /** The folders around the files. */
    folders: new Set([".", ...paths.flatMap(foldersOf)]),
    missingSubmodules: listing.missingSubmodules,
  };
}
