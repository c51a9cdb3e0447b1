/** A part of a text, from `start` up to and without `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text with escapes decoded or characters left out, which knows where each of its characters came from. */
export class DecodedText {
  readonly text: string;
  /** Where each character starts and ends in the original text. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  private constructor(text: string, starts: Int32Array, ends: Int32Array) {
    this.text = text;
    this.#starts = starts;
    this.#ends = ends;
  }

  static of(text: string): DecodedText {
    const starts = new Int32Array(text.length).map((_zero, index) => index);
    const ends = starts.map((start) => start + 1);
    return new DecodedText(text, starts, ends);
  }

  /** Where a part of `text` came from in the original text. */
  originalRange(start: number, end: number): Range {
    return { start: this.#starts[start] ?? 0, end: this.#ends[end - 1] ?? 0 };
  }

  /** Replaces what matches with something that is not longer; returns the same object if nothing matches. */
  replace(pattern: RegExp, decode: (match: string) => string): DecodedText {
    if (this.text.search(pattern) < 0) return this;
    const starts = new Int32Array(this.text.length);
    const ends = new Int32Array(this.text.length);
    let text = "";
    let position = 0;
    const keepUntil = (end: number) => {
      starts.set(this.#starts.subarray(position, end), text.length);
      ends.set(this.#ends.subarray(position, end), text.length);
      text += this.text.slice(position, end);
      position = end;
    };
    for (const { 0: match, index } of this.text.matchAll(pattern)) {
      keepUntil(index);
      position += match.length;
      const decoded = decode(match);
      const { start, end } = this.originalRange(index, position);
      starts.fill(start, text.length, text.length + decoded.length);
      ends.fill(end, text.length, text.length + decoded.length);
      text += decoded;
    }
    keepUntil(this.text.length);
    return new DecodedText(text, starts, ends);
  }
}

/** Decodes the escapes of JSON strings (https://www.rfc-editor.org/rfc/rfc8259#section-7). */
export function decodeJson(text: DecodedText): DecodedText {
  return text.replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g, (sequence) => {
    const kind = sequence.charAt(1);
    if (kind === "u") return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
    return { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }[kind] ?? kind;
  });
}

/** Decodes what regular expressions (`\.`) and JSON Pointers (`~1`) escape: an expectation of a test may hold a secret. */
export function decodePunctuation(text: DecodedText): DecodedText {
  return text.replace(/\\[!-/:-@[-`{-~]|~[01]/g, (sequence) =>
    sequence.startsWith("\\") ? sequence.slice(1) : sequence === "~1" ? "/" : "~",
  );
}

/** A character's bytes in UTF-8, each as `%` and two hexadecimal digits. */
const percentEncodedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;

/** Decodes percent-encoding (https://www.rfc-editor.org/rfc/rfc3986#section-2.1). */
export function decodeUri(text: DecodedText): DecodedText {
  return text.replace(percentEncodedCharacter, (sequence) =>
    Buffer.from(sequence.replaceAll("%", ""), "hex").toString(),
  );
}

/** Decodes the character references of HTML; of the named ones, those that escape text needs. */
export function decodeHtml(text: DecodedText): DecodedText {
  return text.replace(/&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, (reference) => {
    const name = reference.slice(1, -1).toLowerCase();
    if (!name.startsWith("#")) return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name] ?? reference;
    const code = Number(name.slice(1).replace("x", "0x"));
    return code <= 0x10_ffff ? String.fromCodePoint(code) : reference;
  });
}
