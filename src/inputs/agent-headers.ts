import { type HeaderValues, headerProblem, isEmptyHeader } from "../agent/request-parts.ts";
import { emptyHint } from "../input-problem.ts";
import { code, inputName, phrase, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Reads the `agent_headers` input: lines of `Name: value`, by lower-case names. Problems name a line, never content. */
export function readAgentHeaders(reader: InputReader): HeaderValues {
  const headers = new Map<string, string>();
  for (const [index, rawLine] of reader.raw("agent_headers").split(/\r?\n/).entries()) {
    const line = rawLine.trim();
    if (line === "" || line.startsWith("#")) continue;
    const subject = phrase`Input ${inputName("agent_headers")} (line ${index + 1})`;
    const colon = line.indexOf(":");
    if (colon < 0) {
      const problem = phrase`has no colon. Write each line as ${code("Name: value")}`;
      reader.reject("agent_headers", problem, { subject });
      continue;
    }
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    const problem = headerProblem(name, value);
    const hint = isEmptyHeader(name, value)
      ? text`${emptyHint} If the agent needs no key, remove the line.`
      : undefined;
    if (problem !== undefined) reader.reject("agent_headers", problem, { subject, hint });
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
