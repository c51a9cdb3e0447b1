import { stripVTControlCharacters } from "node:util";
import type { LogLine } from "../store/revision-logs.ts";

/** Such as `SyntaxError: Unexpected identifier` or `Error [ERR_MODULE_NOT_FOUND]: …`, in Node.js and Python. */
const errorPattern = /\b(?:[A-Z]\w{0,99})?(?:Error|Exception)(?: \[\w{1,99}\])?: .{1,300}/;

/** The reason with the last error that the agent printed, if there is one: a server may stay up after it. */
export function withLastError(reason: string, deployLog: readonly LogLine[]): string {
  const printed = deployLog
    .map(({ message }) => errorPattern.exec(stripVTControlCharacters(message))?.[0])
    .findLast((error) => error !== undefined);
  return printed === undefined ? reason : `${reason} The last error in its log: ${printed}`;
}
