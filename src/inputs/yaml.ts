import { isScalar, LineCounter, parseDocument, visit } from "yaml";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** In characters. Parsing takes well below a second then. */
export const maxYamlLength = 32_768;
/** More aliases than anybody writes by hand. They could stand for a huge document. */
const maxAliasCount = 100;

/** The value of a YAML text, or why it has none: a part of a sentence, such as "has a duplicate key in line 3". */
export type YamlResult = { readonly value: unknown } | { readonly problem: string };

/** Parses one YAML 1.2 document without tags of its own; JSON is one too. */
export function parseYaml(text: string): YamlResult {
  if (text.length > maxYamlLength) {
    return { problem: `has ${text.length} characters, more than the ${maxYamlLength} that are allowed` };
  }
  const lineCounter = new LineCounter();
  const lineOf = (offset = 0) => `line ${lineCounter.linePos(offset).line}`;
  try {
    const document = parseDocument(text.replace(/^\ufeff/, ""), {
      customTags: [],
      resolveKnownTags: false,
      stringKeys: true,
      // Its time would grow with the square of the number of keys.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "error",
      lineCounter,
    });
    const [error] = [...document.errors, ...document.warnings];
    if (error?.code === "MULTIPLE_DOCS") {
      return { problem: `is more than one YAML document: remove the "---" (${lineOf(error.pos[0])})` };
    }
    if (error !== undefined) {
      return { problem: `is not YAML (${lineOf(error.pos[0])}): ${describe(error.message)}` };
    }
    const duplicate = duplicateKey(document);
    if (duplicate !== undefined) return { problem: `has the same key twice (${lineOf(duplicate)})` };
    return { value: document.toJS({ maxAliasCount }) };
  } catch (error) {
    // What is nested thousands of levels deep exhausts the stack, and too many aliases are an error too.
    return { problem: `can't be read as YAML: ${describe(String(error))}` };
  }
}

function describe(message: string): string {
  return sanitizeExcerpt(message.replace(/[.:]\s*$/, ""), 200);
}

/** Where the second of two equal keys of a map is. */
function duplicateKey(document: Parameters<typeof visit>[0]): number | undefined {
  let place: number | undefined;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(String(key.value))) place ??= key.range?.[0];
        seen.add(String(key.value));
      }
      return place === undefined ? undefined : visit.BREAK;
    },
  });
  return place;
}
