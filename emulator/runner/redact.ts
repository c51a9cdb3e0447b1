/** Takes secrets out of what builds and agents print. */

/** Shorter text is no secret but would be found everywhere. */
const MIN_LENGTH = 4;

export interface Redactor {
  (text: string): string;
  /** The length of the longest text that it replaces. */
  readonly maxLength: number;
}

/** A function that replaces these secrets, and each line of one that has several, in every form of `formsOf`. */
export function redactorFor(secrets: readonly string[]): Redactor {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\r\n|\r|\n/)]);
  const forms = [...new Set(parts)].filter((part) => part.trim().length >= MIN_LENGTH).flatMap(formsOf);
  const sought = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  const redact = (text: string) => sought.reduce((rest, form) => rest.replaceAll(form, "***"), text);
  return Object.assign(redact, { maxLength: sought[0]?.length ?? 0 });
}

/** A secret as it is, in JSON, in a URI, in a form, in Base64 and in hexadecimal. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hexadecimal = bytes.toString("hex");
  const inUri = [secret.toWellFormed()].flatMap((text) => [
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
  ]);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...inUri,
    ...inUri.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)),
    hexadecimal,
    hexadecimal.toUpperCase(),
  ];
}

/**
 * The characters that these bytes have in Base64, in both alphabets, if `shift` other bytes stand before them in their
 * group of three. Characters that also depend on other bytes are left out.
 */
function base64Forms(bytes: Buffer, shift: number): string[] {
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + bytes.length) * 8) / 6);
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  return (["base64", "base64url"] as const).map((form) => shifted.toString(form).slice(first, last));
}
