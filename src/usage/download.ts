import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { ActionError } from "../errors.ts";
import { readBytes } from "../http/request.ts";
import { input, text } from "../text/message.ts";

/** Called with the number of bytes received so far. */
export type OnProgress = (receivedBytes: number) => void;

const maxReportMebibytes = 64;

/** Reads a JSON report completely, as it was sent. @throws ActionError `report_too_large` beyond 64 MiB */
export function readReportBody(
  message: IncomingMessage,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Buffer> {
  const maxBytes = maxReportMebibytes * 2 ** 20;
  return readBytes(message, { maxBytes, tooLarge: reportTooLarge, signal, onProgress });
}

function reportTooLarge(): ActionError {
  return new ActionError(text`The usage report is larger than ${maxReportMebibytes} MiB.`, {
    code: "report_too_large",
    hint: text`Choose a shorter range or a coarser ${input("group_by")}. The CSV export (${input("csv_file")}) may have any size.`,
  });
}

/** A column that every export has (https://docs.langchain.com/langsmith/granular-usage). */
const csvColumn = "Time Bucket Start";
const maxHeaderBytes = 4096;

/** Passes a CSV export on unchanged. Fails with `notCsv` if the first line is not the header of an export. */
export function csvFilter(notCsv: () => Error, onProgress: OnProgress): Transform {
  let size = 0;
  /** The start of the body, until its first line is complete. */
  let start: Buffer | undefined = Buffer.alloc(0);
  const isHeader = (bytes: Buffer) => bytes.toString("latin1").split("\n", 1)[0]?.includes(csvColumn);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      onProgress(size);
      if (start !== undefined) {
        start = Buffer.concat([start, chunk.subarray(0, maxHeaderBytes)]);
        const isComplete = start.length >= maxHeaderBytes || start.includes("\n");
        if (isComplete && !isHeader(start)) return done(notCsv());
        if (isComplete) start = undefined;
      }
      done(null, chunk);
    },
    flush(done) {
      done(start === undefined || isHeader(start) ? null : notCsv());
    },
  });
}
