import { type Headers, headerProblem, headerSecrets } from "../agent/request-parts.ts";
import { code, input, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** A line of the input; `name` is undefined if it has no colon. */
interface HeaderLine {
  /** The first line is 1. */
  readonly number: number;
  readonly name: string | undefined;
  readonly value: string;
}

function linesOf(input: string): HeaderLine[] {
  return input.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "" || line.trimStart().startsWith("#")) return [];
    const colon = line.indexOf(":");
    const name = colon < 0 ? undefined : line.slice(0, colon).trim();
    return [{ number: index + 1, name, value: line.slice(colon + 1).trim() }];
  });
}

/** The `agent_headers` input: lines of `Name: value`, by lower-case names. Problems name a line, never content. */
export function readAgentHeaders(reader: InputReader): Headers {
  const headers = new Map<string, string>();
  for (const { number, name, value } of linesOf(reader.raw("agent_headers"))) {
    const problem =
      name === undefined
        ? text`has no colon. Write each line as ${code("Name: value")}`
        : headerProblem(name, value);
    if (problem !== undefined) {
      const subject = text`Input ${input("agent_headers")} (line ${number})`;
      const empty = name !== undefined && value === "" ? "secret" : undefined;
      reader.reject("agent_headers", problem, { subject, empty });
    }
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (headers.has(key)) reader.reject("agent_headers", text`has the same name twice (line ${number})`);
    headers.set(key, value);
  }
  return Object.fromEntries(headers);
}

/** What is secret in the `agent_headers` input, valid or not. */
export function agentHeaderSecrets(reader: InputReader): string[] {
  return linesOf(reader.raw("agent_headers")).flatMap(({ value }) => headerSecrets(value));
}
