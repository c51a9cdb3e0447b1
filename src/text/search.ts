import { runInNewContext } from "node:vm";

/** Whether a part is in a text as it is, or in a string of the JSON that the text is, where quotes and line ends have no escapes. */
export function containsPart(text: string, json: unknown, part: string): boolean {
  return text.includes(part) || hasString(json, part);
}

function hasString(value: unknown, part: string): boolean {
  if (typeof value === "string") return value.includes(part);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((inner) => hasString(inner, part));
}

/** How long an expression may take, in milliseconds: some take forever for certain texts. */
export const maxPatternMs = 1000;

/** Whether a regular expression matches somewhere in a text; undefined if it takes too much time or memory to say. */
export function matchPattern(pattern: string, text: string): boolean | undefined {
  try {
    // A limit on time exists only for scripts (https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options).
    const script = "new RegExp(pattern).test(text)";
    return runInNewContext(script, { pattern, text }, { timeout: maxPatternMs }) === true;
  } catch {
    return undefined;
  }
}
