// Text for people, in which values from outside (a server, an input, a ref, a file) are separate from words and stay raw.
// `report/` redacts, sanitizes, cuts and escapes each value by its kind when the message is shown.

import { formatCount, formatDuration, formatSeconds, formatSize } from "./format.ts";
import type { InputName } from "./input-names.ts";

/**
 * `code`: a name, a status, a path. `id`: the ID of a revision, which summary and comment shorten. `url`: an address, which
 * Markdown shows as a link. `quote`: somebody else's words. `input`: the name of an input. `summary`: the job summary.
 */
export const valueKinds = ["code", "id", "url", "quote", "input", "summary"] as const;

/** A value from outside, as the renderer sees it. */
export interface Value {
  readonly kind: (typeof valueKinds)[number];
  readonly raw: string;
  /** The longest shown part of the value, in characters. */
  readonly maxLength: number;
  /** Whether the end of a longer value is shown, and not its start. */
  readonly isEnd?: boolean;
}

type Part = string | Value;

/** Only this file makes messages, so that a text from outside can't pass as words of this action. */
class MadeMessage {
  /** Words of this action and the values between them. */
  readonly parts: readonly Part[];
  /** Without it, any object with parts would be one. */
  declare protected readonly brand: never;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

export type Message = MadeMessage;

/**
 * Returns the message of a template, such as ``text`Revision ${idText(revisionId)} is live.` ``. The compiler refuses a plain
 * string, so that each value gets a kind. Undefined values are left out.
 */
export function text(
  strings: TemplateStringsArray,
  ...values: readonly (Message | number | undefined)[]
): Message {
  return new MadeMessage(strings.flatMap((words, index) => [words, ...partsOf(values[index])]));
}

/** Returns a duration, rounded to whole seconds. */
export function duration(durationMs: number): Message {
  return new MadeMessage([formatDuration(durationMs)]);
}

/** Returns a duration as seconds with one decimal. */
export function seconds(durationMs: number): Message {
  return new MadeMessage([`${formatSeconds(durationMs)} s`]);
}

export function size(bytes: number): Message {
  return new MadeMessage([formatSize(bytes)]);
}

export function count(value: number): Message {
  return new MadeMessage([formatCount(value)]);
}

function partsOf(value: Message | number | undefined): readonly (string | Value)[] {
  if (value === undefined) return [];
  if (typeof value === "number") return [String(value)];
  return value.parts;
}

/** Returns the messages in their order, without repetitions of a text. */
export function distinct(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((message) => [rawText(message), message])).values()];
}

export function code(raw: string, maxLength = 300): Message {
  return new MadeMessage([{ kind: "code", raw, maxLength }]);
}

/** Returns a value of which the end is shown, such as the last message of a chat. */
export function endOf(raw: string, maxLength: number): Message {
  return new MadeMessage([{ kind: "code", raw, maxLength, isEnd: true }]);
}

/** Returns the message with at most `maxLength` characters of each value. */
export function shortened(message: Message, maxLength: number): Message {
  return withValues(message, (value) => ({ ...value, maxLength: Math.min(value.maxLength, maxLength) }));
}

/** Returns the message with other values in place of its own. */
export function withValues({ parts }: Message, replace: (value: Value) => Value): Message {
  return new MadeMessage(parts.map((part) => (typeof part === "string" ? part : replace(part))));
}

/** Returns a message that this action has saved. */
export function savedMessage(parts: readonly Part[]): Message {
  return new MadeMessage(parts);
}

export function idText(raw: string): Message {
  return new MadeMessage([{ kind: "id", raw, maxLength: 100 }]);
}

export function link(raw: string | URL): Message {
  return new MadeMessage([{ kind: "url", raw: String(raw), maxLength: 2000 }]);
}

/** `maxLength` in characters. */
export function quote(raw: string, maxLength = 500): Message {
  return new MadeMessage([{ kind: "quote", raw, maxLength }]);
}

/** Quotes a sentence, without its full stop, within a sentence of this action. */
export function quoteSentence(raw: string, maxLength?: number): Message {
  return quote(raw.trim().replace(/(?<![.\s])\.$/, ""), maxLength);
}

export function inputName(name: InputName): Message {
  return new MadeMessage([{ kind: "input", raw: name, maxLength: 100 }]);
}

/** The place of a log or table that a message refers to. Summary and comment, which hold it, show this as "below". */
export const inSummary: Message = new MadeMessage([
  { kind: "summary", raw: "in the job summary", maxLength: 100 },
]);

/** Joins messages with a blank or another text of this action. Undefined messages are left out. */
export function joined(
  messages: readonly (Message | undefined)[],
  separator: " " | ", " | " and " | " or " = " ",
): Message {
  const present = messages.filter((message) => message !== undefined);
  return new MadeMessage(
    present.flatMap(({ parts }, index) => [...(index === 0 ? [] : [separator]), ...parts]),
  );
}

/** Returns a sentence for use within another one. */
export function withoutFullStop(message: Message): Message {
  const { parts } = message;
  // The words after the last value of a template may be empty.
  const end = parts.findLastIndex((part) => part !== "");
  const last = parts[end];
  return typeof last === "string"
    ? new MadeMessage([...parts.slice(0, end), last.replace(/\.$/, "")])
    : message;
}

/** Returns items as a list in a sentence, such as `a, b and c`. */
export function listOf(items: readonly Message[], conjunction: "and" | "or" = "and"): Message {
  const others = joined(items.slice(0, -1), ", ");
  return joined([...(items.length > 1 ? [others] : []), ...items.slice(-1)], ` ${conjunction} `);
}

const maxShownItems = 5;

/** Returns the first items, and how many more there are. */
export function listFirst(items: readonly Message[]): Message {
  const others = items.length - maxShownItems;
  return joined(
    [...items.slice(0, maxShownItems), others > 0 ? text`${count(others)} more` : undefined],
    ", ",
  );
}

/** Returns the text with its values as they are. It may hold secrets and commands, so nothing may print it. */
export function rawText({ parts }: Message): string {
  return parts.map((part) => (typeof part === "string" ? part : part.raw)).join("");
}
