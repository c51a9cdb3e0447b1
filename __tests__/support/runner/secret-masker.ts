/**
 * How the runner masks secrets: https://github.com/actions/runner/blob/main/src/Sdk/DTLogging/Logging/SecretMasker.cs,
 * ValueEncoders.cs beside it, and https://github.com/actions/runner/blob/main/src/Runner.Common/HostContext.cs
 */

const jsonOnly: Readonly<Record<string, string>> = {
  "\u0085": "\\u0085",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

function base64(value: string, shift: number): string {
  const bytes = Buffer.from(value, "utf8");
  return (bytes.length > shift ? bytes.subarray(shift) : bytes).toString("base64");
}

function uri(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function json(value: string): string {
  return JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(/[\u0085\u2028\u2029]/gu, (character) => jsonOnly[character] ?? character);
}

function xml(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}

function withoutQuotes(value: string): string {
  return value.length > 8 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : "";
}

/** PowerShell prints the text before and after a `&` separately, and colours the letter after `&+`. */
function aroundAmpersand(value: string): string[] {
  const colouredAt = value.indexOf("&+");
  const last = value.lastIndexOf("&");
  if (last < 0) return [];
  const parts =
    colouredAt >= 0
      ? [value.slice(0, colouredAt + 2), value.slice(colouredAt + 3)]
      : [value.slice(0, last + 1), value.slice(last + 1)];
  return parts.filter((part) => part.length >= 6);
}

/** The forms of a value that the log hides. Hexadecimal is not one of them. */
function formsOf(value: string): string[] {
  const forms = [
    value,
    base64(value, 0),
    base64(value, 1),
    base64(value, 2),
    value.replaceAll('"', '\\"'),
    value.replaceAll("'", "''"),
    json(value),
    uri(value),
    xml(value),
    withoutQuotes(value),
    ...aroundAmpersand(value),
  ];
  return forms.filter((form) => form !== "");
}

/** Replaces secrets with `***`, in the forms that the runner knows. */
export class SecretMasker {
  readonly #forms = new Set<string>();

  add(value: string): void {
    for (const form of formsOf(value)) this.#forms.add(form);
  }

  /** The text with every hidden part as one `***`; parts that touch are one. */
  mask(text: string): string {
    const hidden = this.#positions(text).sort((one, other) => one.start - other.start);
    let masked = "";
    let end = 0;
    let open = false;
    for (const position of hidden) {
      if (!open || position.start > end) {
        masked += `${text.slice(end, position.start)}***`;
      }
      open = true;
      end = Math.max(end, position.end);
    }
    return masked + text.slice(end);
  }

  #positions(text: string): { start: number; end: number }[] {
    const positions: { start: number; end: number }[] = [];
    for (const form of this.#forms) {
      for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1)) {
        positions.push({ start, end: start + form.length });
      }
    }
    return positions;
  }
}
