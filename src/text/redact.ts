import { inertLine } from "./inert.ts";
import { percentEncoded } from "./percent.ts";

/** Takes a run's secrets out of text that came from outside. */
export interface Redactor {
  /** For words that people read: like the log, they lose whatever is masked. */
  words(text: string): string;
  /**
   * For ids, names and addresses that something goes on with: they lose credentials, and other secrets where they
   * can't be there by chance. What `secrets` holds are a deployment's environment variables, such as its region or its
   * own name, and an address may well hold these.
   */
  value(text: string): string;
}

/** What stands in place of a secret, as in the runner's log. */
const asterisks = "***";
/** A user name, and most often a password or token, in front of an address' host. */
const userInAddress = /(?<=:\/\/)[^\s/?#@]+(?=@)/g;

/** Whether something was taken out: such an id is none to go on with. */
export function wasRedacted(text: string): boolean {
  return text.includes(asterisks);
}

/** A form shorter than this would turn up in text that has nothing to do with the secret (contract, 3.2). */
const shortestForm = 4;

/**
 * A function that takes secrets out of text: as they are, and in the forms in which a server quotes what it was sent;
 * and the user names and passwords of addresses, which nobody told us of.
 * The runner's masks hide secrets in the log alone, and none in hexadecimal (field guide, 1); summaries, comments,
 * records and outputs are the action's own business.
 */
export function hiding(secrets: Iterable<string>): (text: string) => string {
  const forms = [...new Set([...secrets].flatMap(formsOf))].filter(({ length }) => length >= shortestForm);
  return (given) => {
    const text = given.replace(userInAddress, asterisks);
    const found = forms.flatMap((form) => placesOf(form, text)).sort((one, other) => one.start - other.start);
    let shown = "";
    let end = 0;
    for (const place of found) {
      // Stretches that overlap or touch are one.
      if (place.start > end || end === 0) shown += text.slice(end, place.start) + asterisks;
      end = Math.max(end, place.end);
    }
    return shown + text.slice(end);
  };
}

/** The same value with every text in it changed, at any depth; names stay. */
export function withTexts(part: unknown, change: (text: string) => string): unknown {
  if (typeof part === "string") return change(part);
  if (Array.isArray(part)) return part.map((item) => withTexts(item, change));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withTexts(inner, change)]));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placesOf(form: string, text: string): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1)) {
    places.push({ start, end: start + form.length });
  }
  return places;
}

function formsOf(secret: string): string[] {
  const texts = [...new Set([secret, inertLine(secret), ...jsonForms(secret)])];
  const escaped = [...htmlForms(secret).map(json), ...texts.flatMap(htmlForms)];
  return [...texts, ...uriForms(secret), ...escaped, ...texts.flatMap(byteForms)];
}

/** Inside a JSON string, and inside one that stands in another; with characters beyond ASCII escaped or not. */
function jsonForms(secret: string): string[] {
  const once = json(secret);
  const ascii = once.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [once, ascii, once.replaceAll("/", "\\/"), json(once), json(ascii)];
}

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As JavaScript, Python and HTML forms encode it, with hexadecimal digits of either case. */
function uriForms(secret: string): string[] {
  const whole = encodeURIComponent(secret.toWellFormed());
  const strict = whole.replace(/[!'()*]/g, percentEncoded);
  const forms = [whole, strict].flatMap((form) => [
    form,
    form.replaceAll("%2F", "/"),
    form.replaceAll("%20", "+"),
  ]);
  forms.push(encodeURI(secret.toWellFormed()), new URLSearchParams({ "": secret }).toString().slice(1));
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function htmlForms(text: string): string[] {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = [escaped, escaped.replaceAll('"', "&quot;"), escaped.replaceAll('"', "&#34;")];
  return quoted.flatMap((form) => [
    form,
    ...["&#39;", "&#x27;", "&apos;"].map((apostrophe) => form.replaceAll("'", apostrophe)),
  ]);
}

/** Its bytes in hexadecimal, and in Base64 wherever they begin in the three bytes of a group. */
function byteForms(text: string): string[] {
  const bytes = Buffer.from(text);
  const hexadecimal = bytes.toString("hex");
  return [hexadecimal, hexadecimal.toUpperCase(), ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift))];
}

/** Only the characters that follow from these bytes alone, whatever stands around them; in both alphabets. */
function base64Forms(bytes: Buffer, shift: number): string[] {
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const core = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .slice(first, last);
  return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}
