import { formatCount, formatMebibytes } from "../text/format.ts";

/** The largest archive that a platform takes, in bytes. */
export const maxPackedBytes = 200 * 2 ** 20;

export interface SourceFile {
  /** Relative to the folder of `source_path`, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
}

/** The largest files, the largest first. */
export function largestFiles(files: readonly SourceFile[], count: number): SourceFile[] {
  return files.toSorted((one, other) => other.bytes - one.bytes).slice(0, count);
}

/** Such as `12 files, 18.4 MiB packed, sha256:…`. */
export function describeArchive({
  files,
  packedBytes,
  digest,
}: {
  readonly files: readonly SourceFile[];
  readonly packedBytes: number;
  readonly digest: string;
}): string {
  const count = files.length === 1 ? "1 file" : `${formatCount(files.length)} files`;
  return `${count}, ${formatMebibytes(packedBytes)} packed, ${digest}`;
}
