import type { Checkout } from "../../../../src/source/git.ts";
import type { SourceFile, SourceListing } from "../../../../src/source/list-files.ts";

const checkout: Checkout = { gitDir: "/source/.git", workTree: "/source", folder: "/source", prefix: "" };

/** A tracked file, unless its `blob` is undefined. */
export function sourceFile(path: string, parts: Partial<SourceFile> = {}): SourceFile {
  return { path, bytes: 1, isExecutable: false, checkout, blob: "0".repeat(40), ...parts };
}

/** What git and `.dockerignore` say of a folder. */
export function listingOf(parts: Partial<SourceListing>): SourceListing {
  return {
    source: { path: "/source", workspace: "/source" },
    files: [],
    leftOut: [],
    checkouts: [checkout],
    missingSubmodules: [],
    lacksFiles: false,
    ...parts,
  };
}
