/**
 * A program beside the emulator that ends what the emulator has started once it is gone, also after `kill -9`. Its standard
 * input has a line for each process group, `+ID` for a new one and `-ID` for one that has ended, and ends with the emulator.
 * Its argument is the time between SIGTERM and SIGKILL, in milliseconds.
 */
import { createInterface } from "node:readline";
import { endGroup } from "./end-group.ts";

const graceMs = Number(process.argv[2]);
const groups = new Set<number>();

for await (const line of createInterface({ input: process.stdin })) {
  const id = Number(line.slice(1));
  if (line.startsWith("+")) groups.add(id);
  else groups.delete(id);
}
await Promise.all([...groups].map((id) => endGroup(id, graceMs)));
