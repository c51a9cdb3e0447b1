import type { FaultRule } from "../../emulator/index.ts";

type Answer = Extract<FaultRule, { kind: "answer" }>;
type Match = NonNullable<Answer["match"]>;

/** What the response has, and which of the matching requests get it: by default the first one. */
type Options = Pick<Answer, "body" | "headers" | "applied"> & Pick<Match, "from" | "times">;

/**
 * The rule by which a request gets this response instead of the real one. `match`: a method and a regular expression for the
 * path, such as `GET /revisions$`, one of them, or `any`.
 */
export function answer(
  match: string | Match,
  status: number,
  { from, times, ...response }: Options = {},
): Answer {
  const request = typeof match === "string" ? requestOf(match) : match;
  const count = { ...(from !== undefined && { from }), ...(times !== undefined && { times }) };
  return { kind: "answer", match: { ...request, ...count }, status, ...response };
}

function requestOf(line: string): Match {
  const [, method, path] = /^([A-Z]+)? ?(\S+)?$/.exec(line === "any" ? "" : line) ?? [];
  return { ...(method !== undefined && { method }), ...(path !== undefined && { path }) };
}
