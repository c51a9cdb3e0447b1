/**
 * What the runner takes for a workflow command, oddities included, because tests ask what hostile text would do:
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */

export interface Command {
  /** As written; the runner ignores case. */
  readonly name: string;
  /** By names without case, in their first form; the last value of each wins. */
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

export type IsCommand = (name: string) => boolean;

type Unescape = (text: string) => string;

/** Replaces the pairs one after the other, `%25` last, like the runner. */
function unescaper(pairs: readonly (readonly [escaped: string, plain: string])[]): Unescape {
  return (text) => pairs.reduce((done, [escaped, plain]) => done.replaceAll(escaped, plain), text);
}

const unescapeData = unescaper([
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%25", "%"],
]);
const unescapeProperty = unescaper([
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%3A", ":"],
  ["%2C", ","],
  ["%25", "%"],
]);
const unescapeOldStyle = unescaper([
  ["%3B", ";"],
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%5D", "]"],
  ["%25", "%"],
]);

/**
 * The runner searches for `::` and `##[` with .NET's culture-sensitive search, which ignores zero-width and control
 * characters if ICU is installed, as it is on GitHub's hosted runners:
 * https://learn.microsoft.com/en-us/dotnet/core/extensions/globalization-icu
 */
const ignored = "(?:(?![\\t\\n\\v\\f\\r\\u0085])[\\p{Cc}\\p{Cf}])*";
const separator = new RegExp(`:${ignored}:`, "gu");
const separatorAtStart = new RegExp(`^${ignored}:${ignored}:`, "u");
const oldPrefix = new RegExp(`#${ignored}#${ignored}\\[`, "u");

/** .NET's `Char.IsWhiteSpace`: it includes U+0085 and excludes U+FEFF, unlike JavaScript's. */
const leadingSpace = /^[\t-\r\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const trailingSpace = /[\t-\r\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u;

function separatorAt(text: string, from: number): number {
  separator.lastIndex = from;
  return separator.exec(text)?.index ?? -1;
}

function split(info: string): { name: string; properties: string | undefined } {
  const space = info.indexOf(" ");
  return space < 0
    ? { name: info, properties: undefined }
    : { name: info.slice(0, space), properties: space > 0 ? info.slice(space + 1) : undefined };
}

/** `a=b`. .NET drops empty parts: `=a==b=` is `a` and `b=`, and `a=` is nothing. */
function pair(text: string): readonly [name: string, value: string] | undefined {
  const found = /^=*([^=]+)=+([^=].*)$/su.exec(text);
  return found?.[1] === undefined || found[2] === undefined ? undefined : [found[1], found[2]];
}

function readProperties(text: string | undefined, between: string, decode: Unescape): Record<string, string> {
  const byName = new Map<string, readonly [name: string, value: string]>();
  for (const part of (text ?? "").split(between)) {
    const property = pair(part);
    if (property !== undefined) {
      const key = property[0].toUpperCase();
      byName.set(key, [byName.get(key)?.[0] ?? property[0], decode(property[1])]);
    }
  }
  return Object.fromEntries(byName.values());
}

/** `::name key=value,key=value::data` at the start of a line, after optional white space. */
function parseNewStyle(line: string, isCommand: IsCommand): Command | undefined {
  const text = line.replace(leadingSpace, "");
  const end = separatorAtStart.test(text) ? separatorAt(text, 2) : -1;
  if (end < 0) return undefined;
  const { name, properties } = split(text.slice(2, end));
  if (name === "" || !isCommand(name)) return undefined;
  const trimmed = properties?.replace(leadingSpace, "").replace(trailingSpace, "");
  return {
    name,
    properties: readProperties(trimmed, ",", unescapeProperty),
    data: unescapeData(text.slice(end + 2)),
  };
}

/** `##[name key=value;key=value]data` anywhere in a line; only the first `##[` counts. */
function parseOldStyle(line: string, isCommand: IsCommand): Command | undefined {
  const start = oldPrefix.exec(line)?.index;
  const end = start === undefined ? -1 : line.indexOf("]", start);
  if (start === undefined || end < start + 3) return undefined;
  const { name, properties } = split(line.slice(start + 3, end));
  if (name === "" || !isCommand(name)) return undefined;
  return {
    name,
    properties: readProperties(properties, ";", unescapeOldStyle),
    data: unescapeOldStyle(line.slice(end + 1)),
  };
}

/** The command in one line of output, if the runner finds one. */
export function parseCommand(line: string, isCommand: IsCommand): Command | undefined {
  return parseNewStyle(line, isCommand) ?? parseOldStyle(line, isCommand);
}

/** Output in lines, as the runner reads it: `\n`, `\r\n` and `\r` each end one. */
export function outputLines(output: string): string[] {
  const lines = output.split(/\r\n|\n|\r/u);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
