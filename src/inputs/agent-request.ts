import {
  type Headers,
  headerNameProblem,
  headerSecrets,
  headerValueProblem,
} from "../agent/request-parts.ts";
import { code, input, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** The lines of the input that hold something, by their numbers; the first is 1. */
function linesOf(input: string): (readonly [number: number, line: string])[] {
  const lines = input.split(/\r?\n/).map((line, index) => [index + 1, line.trim()] as const);
  return lines.filter(([, line]) => line !== "" && !line.startsWith("#"));
}

/** The `agent_headers` input: lines of `Name: value`, by lower-case names. Problems name a line, never content. */
export function readAgentHeaders(reader: InputReader): Headers {
  const headers = new Map<string, string>();
  for (const [number, line] of linesOf(reader.raw("agent_headers"))) {
    const subject = text`Input ${input("agent_headers")} (line ${number})`;
    const colon = line.indexOf(":");
    if (colon < 0) {
      const problem = text`has no colon. Write each line as ${code("Name: value")}`;
      reader.reject("agent_headers", problem, { subject });
      continue;
    }
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    const repeated = headers.has(name) ? text`has the same name as another line` : undefined;
    const problem = repeated ?? headerNameProblem(name) ?? headerValueProblem(value);
    const empty = value === "" ? "secret" : undefined;
    if (problem !== undefined) reader.reject("agent_headers", problem, { subject, empty });
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** What is secret in the `agent_headers` input, valid or not. */
export function agentHeaderSecrets(reader: InputReader): string[] {
  return linesOf(reader.raw("agent_headers")).flatMap(([, line]) =>
    headerSecrets(line.slice(line.indexOf(":") + 1).trim()),
  );
}
