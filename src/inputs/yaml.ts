import { parseDocument } from "yaml";
import { type Message, quote, text } from "../text/message.ts";

/** The value of a YAML text, or why it has none: a part of a sentence. */
type YamlResult = { readonly value: unknown } | { readonly problem: Message };

/** Parses one YAML 1.2 document without tags of its own, whose value must be one of JSON; JSON is YAML too. */
export function parseYaml(input: string): YamlResult {
  try {
    const options = { customTags: [], resolveKnownTags: false, stringKeys: true };
    const document = parseDocument(input.replace(/^\ufeff/, ""), options);
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) {
      // The lines of the input follow.
      const [words = ""] = error.message.split(/:?\n/, 1);
      return { problem: text`is not valid YAML: ${quote(words, 300)}` };
    }
    const value: unknown = document.toJS();
    // An alias may make a value contain itself.
    JSON.stringify(value, requireJsonNumber);
    return { value };
  } catch (error) {
    return { problem: text`can't be read as YAML: ${quote(String(error), 200)}` };
  }
}

/** A larger whole number may have been rounded, and would equal its neighbours. */
function requireJsonNumber(key: string, value: unknown): unknown {
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value === "number" && !isExact) {
    throw new Error(`${key} must be a finite number, and a whole number at most 2^53`);
  }
  return value;
}
