import {
  isCollection,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import { type Message, quote, text } from "../text/message.ts";

/** In characters. Parsing takes at most about a second then, even if all of it are keys of one map. */
export const maxYamlLength = 32_768;

/** The value of a YAML text, or why it has none: a part of a sentence, such as "has the same key twice (line 3)". */
type YamlResult = { readonly value: unknown } | { readonly problem: Message };

/** Parses one YAML 1.2 document without tags of its own; JSON is one too. */
export function parseYaml(input: string): YamlResult {
  if (input.length > maxYamlLength) {
    const problem = text`has ${input.length} characters, more than the ${maxYamlLength} that are allowed`;
    return { problem };
  }
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(input.replace(/^\ufeff/, ""), {
      customTags: [],
      resolveKnownTags: false,
      stringKeys: true,
      prettyErrors: false,
      lineCounter,
    });
    const [error, next] = [...document.errors, ...document.warnings];
    // Rejects more than 100 uses of an alias: they could stand for a huge document.
    if (error === undefined) return { value: document.toJS() };
    const offset = mistakeOffset(error, next, document.contents);
    const line = text`line ${lineCounter.linePos(offset).line}`;
    if (error.code === "MULTIPLE_DOCS") {
      return { problem: text`is more than one YAML document: remove the "---" (${line})` };
    }
    if (error.code === "DUPLICATE_KEY") return { problem: text`has the same key twice (${line})` };
    const isColon = colonCodes.has(error.code) && !isIndentedTooFar(error, next);
    const advice = isColon ? text`. Quote any text that contains a colon followed by a space` : undefined;
    return { problem: text`is not valid YAML (${line}): ${quote(error.message, 200)}${advice}` };
  } catch (error) {
    // What is nested thousands of levels deep exhausts the stack, and too many aliases are an error too.
    return { problem: text`can't be read as YAML: ${quote(String(error), 200)}` };
  }
}

/** What the parser says of `text: with a colon`, which it takes for a map. */
const colonCodes: ReadonlySet<string> = new Set(["BLOCK_AS_IMPLICIT_KEY", "BLOCK_IN_FLOW"]);

/** A line that is indented too far continues the value before it, which its colon then makes a key of several lines. */
function isIndentedTooFar(error: YAMLError, next: YAMLError | undefined): next is YAMLError {
  return error.code === "BLOCK_AS_IMPLICIT_KEY" && next?.code === "MULTILINE_IMPLICIT_KEY";
}

/** Where the mistake is: the parser reports some where their effect begins or ends. */
function mistakeOffset(error: YAMLError, next: YAMLError | undefined, contents: ParsedNode | null): number {
  const [start] = error.pos;
  if (isIndentedTooFar(error, next)) return next.pos[1];
  // Where a bracket or a quotation mark is missing, the parser reads on.
  return /closing|end with/.test(error.message) ? (unclosedOffset(contents, start) ?? start) : start;
}

/** The start of the innermost list or map in brackets, or text in quotation marks, that reaches up to `end`. */
function unclosedOffset(contents: ParsedNode | null, end: number): number | undefined {
  let offset: number | undefined;
  visit(contents, {
    Node(_key, node) {
      const isDelimited = isCollection(node) ? node.flow : isScalar(node) && /^QUOTE/.test(node.type ?? "");
      if (isDelimited && node.range && node.range[0] < end && node.range[2] >= end) offset = node.range[0];
    },
  });
  return offset;
}
