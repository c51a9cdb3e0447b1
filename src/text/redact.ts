import { DecodedText, decodeHtml, decodeJson, decodeUri, type Range } from "./decoded-text.ts";
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
const minBreakableLength = 12;
/** What may stand between the characters of a secret that was broken into lines: blanks and invisible characters. */
const filler = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** The user name, and usually the password or token, of a URL. */
const userInfo = /(?<=:\/\/)[^\s/?#@]+(?=@)/g;

/**
 * A function that replaces secrets in text, in each form that SECURITY.md names, and user names and passwords in URLs.
 * The runner does not mask all of these forms, and nothing outside of the log.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const forms = [...new Set([...secrets].flatMap(formsOf))];
  const isBreakable = (form: string) => withoutFiller(form).length >= minBreakableLength;
  const breakable = forms.filter(isBreakable).map(withoutFiller);
  const unbroken = forms.filter((form) => form.length >= minLength && !isBreakable(form));
  return (text) => {
    const ranges = decodings(text).flatMap((decoded) => {
      return [
        ...[...decoded.text.matchAll(userInfo)].map(({ 0: user, index }) =>
          decoded.originalRange(index, index + user.length),
        ),
        ...unbroken.flatMap((form) => find(form, decoded)),
        ...findBroken(breakable, decoded),
      ];
    });
    return replaceRanges(text, ranges);
  };
}

/** The text as it is and with one kind of escape decoded; JSON also twice, because servers quote JSON in JSON. */
function decodings(text: string): DecodedText[] {
  const original = DecodedText.of(text);
  const json = decodeJson(original);
  return [...new Set([original, json, decodeJson(json), decodeUri(original), decodeHtml(original)])];
}

/** A secret as it is, as the log prints it, with the `+` that HTML forms send for a blank, in Base64 and hexadecimal. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hexadecimal = bytes.toString("hex");
  return [
    secret,
    sanitizeLine(secret),
    secret.replaceAll(" ", "+"),
    ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)),
    hexadecimal,
    hexadecimal.toUpperCase(),
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

function withoutFiller(text: string): string {
  return text.replace(filler, "");
}

function find(form: string, decoded: DecodedText): Range[] {
  const ranges: Range[] = [];
  for (let at = decoded.text.indexOf(form); at >= 0; at = decoded.text.indexOf(form, at + 1)) {
    ranges.push(decoded.originalRange(at, at + form.length));
  }
  return ranges;
}

/** Searches the text without filler. */
function findBroken(forms: readonly string[], decoded: DecodedText): Range[] {
  if (forms.length === 0) return [];
  const joined = decoded.replace(filler, () => "");
  return forms.flatMap((form) => find(form, joined));
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
