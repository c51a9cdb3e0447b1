// Text for people, in which values from outside (a server, an input, a ref, a file) are separate from words and stay raw.
// `report/` redacts, sanitizes, cuts and escapes each value by its kind when the message is shown.

import { formatCount, formatDuration, formatSeconds, formatSize } from "./format.ts";
import type { InputName } from "./input-names.ts";

/** A value from outside, as the renderer sees it. */
export interface Value {
  /**
   * `code`: a name, a status, a path. `id`: the ID of a revision, which summary and comment shorten. `url`: an address, which
   * Markdown shows as a link. `quote`: somebody else's words. `input`: the name of an input.
   */
  readonly kind: "code" | "id" | "url" | "quote" | "input";
  readonly raw: string;
  /** The longest shown part of the value, in characters. */
  readonly maxLength: number;
}

type Part = string | Value;

/**
 * One or more sentences, or a part of one. Only this file makes messages, so that a text from outside can't pass as words of
 * this action.
 */
class Message {
  /** Words of this action and the values between them. */
  readonly parts: readonly Part[];
  /** Without it, any object with parts would be one. */
  declare protected readonly brand: never;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** A part of a sentence: a name, a value, a predicate. It has no full stop at its end. */
class Phrase extends Message {
  /** Without it, any message would be one. */
  declare protected readonly phraseBrand: never;
}

export type { Message, Phrase };

/**
 * Returns the message of a template, such as ``text`Revision ${idText(revisionId)} is live.` ``. The compiler refuses a plain
 * string, so that each value gets a kind. Undefined values are left out.
 */
export function text(
  strings: TemplateStringsArray,
  ...values: readonly (Message | number | undefined)[]
): Message {
  return new Message(partsOf(strings, values));
}

/** `text` for a part of a sentence. */
export function phrase(
  strings: TemplateStringsArray,
  ...values: readonly (Phrase | number | undefined)[]
): Phrase {
  return new Phrase(partsOf(strings, values));
}

function partsOf(
  strings: TemplateStringsArray,
  values: readonly (Message | number | undefined)[],
): readonly Part[] {
  return strings.flatMap((words, index) => {
    const value = values[index];
    return [words, ...(typeof value === "number" ? [String(value)] : (value?.parts ?? []))];
  });
}

export function duration(durationMs: number): Phrase {
  return new Phrase([formatDuration(durationMs)]);
}

/** Returns a duration in seconds with one decimal. */
export function preciseDuration(durationMs: number): Phrase {
  return new Phrase([`${formatSeconds(durationMs)} s`]);
}

export function size(bytes: number): Phrase {
  return new Phrase([formatSize(bytes)]);
}

export function count(value: number): Phrase {
  return new Phrase([formatCount(value)]);
}

/** Returns the messages in their order, without repetitions of a text. */
export function distinct(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((message) => [rawText(message), message])).values()];
}

export function code(raw: string, maxLength = 300): Phrase {
  return new Phrase([{ kind: "code", raw, maxLength }]);
}

/** Returns the message with at most `maxLength` characters of each value. */
export function shortened({ parts }: Phrase, maxLength: number): Phrase {
  const shorten = (value: Value) => ({ ...value, maxLength: Math.min(value.maxLength, maxLength) });
  return new Phrase(parts.map((part) => (typeof part === "string" ? part : shorten(part))));
}

export function idText(raw: string): Phrase {
  return new Phrase([{ kind: "id", raw, maxLength: 100 }]);
}

export function link(raw: string | URL): Phrase {
  return new Phrase([{ kind: "url", raw: String(raw), maxLength: 2000 }]);
}

export function quote(raw: string, maxLength = 500): Phrase {
  return new Phrase([{ kind: "quote", raw, maxLength }]);
}

/** Quotes a sentence, without its full stop, within a sentence of this action. */
export function quoteSentence(raw: string, maxLength?: number): Phrase {
  return quote(raw.trim().replace(/(?<![.\s])\.$/, ""), maxLength);
}

export function inputName(name: InputName): Phrase {
  return new Phrase([{ kind: "input", raw: name, maxLength: 100 }]);
}

/** Joins sentences with blanks. Undefined ones are left out. */
export function joined(sentences: readonly (Message | undefined)[]): Message {
  return new Message(joinedParts(sentences, " "));
}

/** Returns items such as `a, b, c`. Undefined ones are left out. */
export function commaList(items: readonly (Phrase | undefined)[]): Phrase {
  return new Phrase(joinedParts(items, ", "));
}

function joinedParts(messages: readonly (Message | undefined)[], separator: string): readonly Part[] {
  return messages
    .filter((message) => message !== undefined)
    .flatMap(({ parts }, index) => [...(index === 0 ? [] : [separator]), ...parts]);
}

/** Returns a sentence for use within another one. */
export function withoutFullStop(message: Message): Phrase {
  const { parts } = message;
  // The words after the last value of a template may be empty.
  const end = parts.findLastIndex((part) => part !== "");
  const last = parts[end];
  return typeof last === "string"
    ? new Phrase([...parts.slice(0, end), last.replace(/\.$/, "")])
    : new Phrase(parts);
}

/** Returns items as a list in a sentence, such as `a, b and c`. */
export function listOf(items: readonly Phrase[], conjunction: "and" | "or" = "and"): Phrase {
  const [last, ...others] = items.toReversed();
  const first = others.length > 0 ? [commaList(others.toReversed())] : [];
  return new Phrase(joinedParts([...first, last], ` ${conjunction} `));
}

const maxShownItems = 5;

/** Returns the first items, and how many more there are. */
export function listFirst(items: readonly Phrase[]): Phrase {
  const others = items.length - maxShownItems;
  return commaList([
    ...items.slice(0, maxShownItems),
    others > 0 ? phrase`${count(others)} more` : undefined,
  ]);
}

/** Returns the text with its values as they are. It may hold secrets and commands, so nothing may print it. */
export function rawText({ parts }: Message): string {
  return parts.map((part) => (typeof part === "string" ? part : part.raw)).join("");
}
