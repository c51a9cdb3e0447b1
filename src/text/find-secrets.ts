import {
  DecodedText,
  decodeHtml,
  decodeJson,
  decodePunctuation,
  decodeUri,
  type Range,
} from "./decoded-text.ts";
import { sanitizeLine } from "./sanitize.ts";

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

/** Where secrets stand in one decoding of a text. */
interface Found {
  readonly ranges: readonly Range[];
  /** Where a secret begins whose rest may follow after the text; the end of the text if none does. */
  readonly unfinishedAt: () => number;
}

/** A function that finds secrets in text, in each form that SECURITY.md names, and user names and passwords in URLs. */
export function createSecretSearch(secrets: Iterable<string>): (text: string) => Found[] {
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
