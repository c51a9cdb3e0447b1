import { gzipSync } from "node:zlib";
import { archiveOfWorkTree } from "../scripts/support/archive.ts";
import type { Measurement } from "./support/measurement.ts";

const maxBytes = 400_000;

/** What every job that uses the action downloads. */
export function measureDownload(): Measurement {
  const { length } = gzipSync(archiveOfWorkTree());
  const figure = `${length} bytes`;
  return [{ what: "download", figure, goal: `at most ${maxBytes} bytes`, isMissed: length > maxBytes }];
}
