import { parseDocument } from "yaml";
import { type Message, quote, text } from "../text/message.ts";

/** In characters. Parsing takes at most about a second then, even if all of it are keys of one map. */
export const maxYamlLength = 32_768;

/** The value of a YAML text, or why it has none: a part of a sentence. */
type YamlResult = { readonly value: unknown } | { readonly problem: Message };

/** Parses one YAML 1.2 document without tags of its own; JSON is one too. */
export function parseYaml(input: string): YamlResult {
  if (input.length > maxYamlLength) {
    const problem = text`has ${input.length} characters, more than the ${maxYamlLength} that are allowed`;
    return { problem };
  }
  try {
    const options = { customTags: [], resolveKnownTags: false, stringKeys: true };
    const document = parseDocument(input.replace(/^\ufeff/, ""), options);
    const [error] = [...document.errors, ...document.warnings];
    // Rejects more than 100 uses of an alias: they could stand for a huge document.
    if (error === undefined) return { value: document.toJS() };
    // The lines of the input follow.
    const [words = ""] = error.message.split(/:?\n/, 1);
    return { problem: text`is not valid YAML: ${quote(words, 300)}` };
  } catch (error) {
    // What is nested thousands of levels deep exhausts the stack, and too many aliases are an error too.
    return { problem: text`can't be read as YAML: ${quote(String(error), 200)}` };
  }
}
