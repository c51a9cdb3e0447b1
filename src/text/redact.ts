import {
  DecodedText,
  decodeHtml,
  decodeJson,
  decodePunctuation,
  decodeUri,
  type Range,
} from "./decoded-text.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Removes a run's secrets from text. */
export interface Redactor {
  /** For text that people read: without any secret. */
  text(text: string): string;
  /**
   * For ids, names and URLs that are used later: without the run's credentials, and without those values of `secrets`
   * that can't be there by chance. Some values are no secrets, such as a region, and a URL may well contain them.
   */
  value(text: string): string;
}

/** The redactor of a run, which may learn of more secrets while it runs. */
export interface RunRedactor extends Redactor {
  /** `text` for lines of one text that are shown one by one. */
  lines(lines: readonly string[]): RedactedLines;
  /** These are credentials of the run too, from now on. */
  add(secrets: readonly string[]): void;
  /** These are secret in text from now on, and elsewhere as the values of `secrets` are. */
  addValues(values: readonly string[]): void;
}

/** The runner's log shows the same for what it masks. */
const replacement = "***";

/** Whether a redactor removed something: such an id can't be used. */
export function wasRedacted(text: string): boolean {
  return text.includes(replacement);
}

/** Shorter forms would be found in text that has nothing to do with the secret. */
const minLength = 4;
/** Shorter forms would be found where two words meet, if blanks between their characters were ignored. */
const minSplittableLength = 12;
/** What may stand between the characters of a secret that was broken into lines: blanks and invisible characters. */
const ignorable = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** What may stand between the digits of bytes in hexadecimal: `70:34`, `70-34`, `0x70, 0x34`, `\x70\x34`. */
const ignorableInHexadecimal = new RegExp(`(?:0x|\\\\x|[:,-]|${ignorable.source})+`, "giu");

/**
 * The user name, and usually the password or token, of a URL. Its characters should be percent-encoded, and its slashes
 * be there; if they aren't, people and parsers still read it as one.
 */
const userInfos = [
  /(?<=:\/\/\/?)[^\s/?#@]+(?:@[^\s/?#@"'`<>,;]+)*(?=@)/g,
  // With a `/`, `?` or `#`. A port is no password.
  /(?<=:\/\/)[^\s/?#@:[\]]+:(?!\d*(?:[/?#]|$))[^\s@"'`<>,;]{1,500}(?=@)/g,
  // Without a scheme.
  /(?<=\/\/)[^\s/?#@:]*:[^\s/?#@]+(?:@[^\s/?#@"'`<>,;]+)*(?=@)/g,
  // With less than two slashes, or with backslashes: https://url.spec.whatwg.org/#special-authority-slashes-state
  /(?<=\b(?:https?|wss?|ftp):[/\\]{0,2})[^\s/\\?#@]{1,500}(?:@[^\s/?#@"'`<>,;]+)*(?=@)/gi,
];

/** Lines of one text, each without secrets. */
interface RedactedLines {
  readonly lines: readonly string[];
  /** The first line that may hold a part of a secret that continues in a further line; the number of lines if none may. */
  readonly unfinishedFrom: number;
}

/**
 * A function that replaces secrets in text, in each form that SECURITY.md names, and user names and passwords in URLs.
 * The runner does not mask all of these forms, and nothing outside of the log.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const search = createSearch(secrets);
  return (text) =>
    replaceRanges(
      text,
      search(text).flatMap(({ ranges }) => ranges),
    );
}

/** `createRedactor` for lines of one text: a secret may begin in one and end in another. */
export function createLineRedactor(secrets: Iterable<string>): (lines: readonly string[]) => RedactedLines {
  const search = createSearch(secrets);
  return (lines) => {
    const text = lines.join("\n");
    const found = search(text);
    const ranges = found.flatMap((one) => one.ranges).flatMap((range) => withinLines(text, range));
    const unfinishedAt = Math.min(text.length, ...found.map((one) => one.unfinishedAt()));
    return {
      lines: lines.length === 0 ? [] : replaceRanges(text, ranges).split("\n"),
      unfinishedFrom:
        unfinishedAt === text.length ? lines.length : text.slice(0, unfinishedAt).split("\n").length - 1,
    };
  };
}

/** Where secrets stand in one decoding of a text. */
interface Found {
  readonly ranges: readonly Range[];
  /** Where a secret begins whose rest may follow after the text; the end of the text if none does. */
  readonly unfinishedAt: () => number;
}

function createSearch(secrets: Iterable<string>): (text: string) => Found[] {
  const all = [...new Set(secrets)];
  const [splittable, whole] = splitForms(all.flatMap(formsOf));
  const [splittableDigits, wholeDigits] = splitForms(
    all.map((secret) => Buffer.from(secret).toString("hex")),
  );
  return (text) =>
    decodings(text).map((decoded) => {
      const joined = splittable.length === 0 ? decoded : decoded.replace(ignorable, () => "");
      const digits =
        splittableDigits.length === 0 ? decoded : decoded.replace(ignorableInHexadecimal, () => "");
      const [digitsText, decodedDigits] = [lowerDigits(digits.text), lowerDigits(decoded.text)];
      return {
        ranges: [
          ...userInfos.flatMap((pattern) => findPattern(pattern, decoded)),
          ...whole.flatMap((form) => find(form, decoded.text, decoded)),
          ...wholeDigits.flatMap((form) => find(form, decodedDigits, decoded)),
          ...splittable.flatMap((form) => find(form, joined.text, joined)),
          ...splittableDigits.flatMap((form) => find(form, digitsText, digits)),
        ],
        unfinishedAt: () =>
          Math.min(
            text.length,
            ...splittable.map((form) => findUnfinished(form, joined.text, joined)),
            ...splittableDigits.map((form) => findUnfinished(form, digitsText, digits)),
          ),
      };
    });
}

/** The forms that are found although something stands between their characters, and those that are not. */
function splitForms(forms: readonly string[]): [splittable: string[], whole: string[]] {
  const isSplittable = (form: string) => withoutIgnorable(form).length >= minSplittableLength;
  const distinct = [...new Set(forms)];
  return [
    [...new Set(distinct.filter(isSplittable).map(withoutIgnorable))],
    distinct.filter((form) => form.length >= minLength && !isSplittable(form)),
  ];
}

/** The text as it is and with one kind of escape decoded; JSON also twice, because servers quote JSON in JSON. */
function decodings(text: string): DecodedText[] {
  const original = DecodedText.of(text);
  const json = decodeJson(original);
  return [
    ...new Set([
      original,
      json,
      decodeJson(json),
      decodeUri(original),
      decodeHtml(original),
      decodePunctuation(original),
    ]),
  ];
}

/** With the digits from `A` to `F` as small letters. Other letters may change their length. */
function lowerDigits(text: string): string {
  return text.replace(/[A-F]+/g, (digits) => digits.toLowerCase());
}

/** A secret as it is, as the log prints it, with the `+` that HTML forms send for a blank, and in Base64. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    sanitizeLine(secret),
    secret.replaceAll(" ", "+"),
    ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)),
  ];
}

/**
 * The characters that these bytes have in Base64, in both alphabets, if `shift` other bytes stand before them in their
 * group of three. Characters that depend on other bytes too are left out.
 */
function base64Forms(bytes: Buffer, shift: number): string[] {
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .slice(first, last);
  return [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")];
}

function withoutIgnorable(text: string): string {
  return text.replace(ignorable, "");
}

/** `text`: that of `decoded`, in any case. */
function find(form: string, text: string, decoded: DecodedText): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    ranges.push(decoded.originalRange(at, at + form.length));
  }
  return ranges;
}

function findPattern(pattern: RegExp, decoded: DecodedText): Range[] {
  return [...decoded.text.matchAll(pattern)].map(({ 0: match, index }) =>
    decoded.originalRange(index, index + match.length),
  );
}

/** Where the text ends with the start of a form, in the original text; infinity if it does not. */
function findUnfinished(form: string, text: string, decoded: DecodedText): number {
  const start = form.slice(0, minLength);
  let at = text.indexOf(start, Math.max(0, text.length - form.length + 1));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
  return at < 0 ? Number.POSITIVE_INFINITY : decoded.originalRange(at, at + 1).start;
}

/** The parts of a range that stand in one line each. */
function withinLines(text: string, { start, end }: Range): Range[] {
  let position = start;
  return text
    .slice(start, end)
    .split("\n")
    .map(({ length }) => {
      const part = { start: position, end: position + length };
      position = part.end + 1;
      return part;
    })
    .filter((part) => part.end > part.start);
}

/** Ranges that overlap or touch become one. */
function replaceRanges(text: string, ranges: readonly Range[]): string {
  let redacted = "";
  let position = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start > position || position === 0) redacted += text.slice(position, start) + replacement;
    position = Math.max(position, end);
  }
  return redacted + text.slice(position);
}
