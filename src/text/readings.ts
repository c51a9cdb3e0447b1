/** A stretch of a text, from `start` to before `end`. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A text as it reads once something in it is undone or passed over. */
export interface Reading {
  readonly text: string;
  /** Where a stretch of `text` was read from, in the text as it was given. */
  place(start: number, end: number): Place;
}

/** A kind of escapes, and what one stands for: never more characters than it has itself. */
interface Escapes {
  readonly pattern: RegExp;
  read(found: string): string;
}

const digit = "[\\da-fA-F]";

/** A character's bytes in UTF-8 (RFC 3629, 4), each in hexadecimal digits behind a mark. */
function bytesBehind(mark: string): string {
  const next = `${mark}[89abAB]${digit}`;
  const [two, three, four] = [
    `[cdCD]${digit}${next}`,
    `[eE]${digit}(?:${next}){2}`,
    `[fF][0-7](?:${next}){3}`,
  ];
  return `${mark}(?:[0-7]${digit}|${two}|${three}|${four})`;
}

/** The character of such bytes, without their marks; what is none is read as one that stands for a mistake. */
function fromBytes(digits: string): string {
  return Buffer.from(digits, "hex").toString();
}

/** As in strings of JSON (RFC 8259, 7), of JavaScript and of Python, whose bytes are written as `\xc3\xa4`. */
const backslashes: Escapes = {
  pattern: new RegExp(`\\\\(?:["'\\\\/bfnrt]|u${digit}{4})|${bytesBehind("\\\\x")}`, "g"),
  read: (found) => {
    const kind = found.charAt(1);
    if (kind === "u") return String.fromCharCode(Number.parseInt(found.slice(2), 16));
    if (kind === "x") return fromBytes(found.replaceAll("\\x", ""));
    return { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }[kind] ?? kind;
  },
};

/** As in addresses and in forms (RFC 3986, 2.1); the `+` that stands for a blank there stays. */
const percents: Escapes = {
  pattern: new RegExp(bytesBehind("%"), "g"),
  read: (found) => fromBytes(found.replaceAll("%", "")),
};

/** As in HTML, of whose names only those of characters that have to be escaped. */
const references: Escapes = {
  pattern: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g,
  read: (found) => {
    const name = found.slice(1, -1);
    if (!name.startsWith("#")) return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name] ?? found;
    const code = Number(name.slice(1).replace(/^[xX]/, "0x"));
    return code <= 0x10_ffff ? String.fromCodePoint(code) : found;
  },
};

/** How often one is undone inside the other, such as of JSON in JSON in an address. */
const deepest = 3;

/** A text as it stands, and with what is escaped in it undone, kind by kind in whatever order. */
export function readingsOf(text: string): Reading[] {
  const asGiven: Reading = { text, place: (start, end) => ({ start, end }) };
  const known = new Map([[text, { reading: asGiven, depth: 0 }]]);
  // The map grows under the loop, by depth.
  for (const { reading, depth } of known.values()) {
    if (depth === deepest) break;
    for (const { pattern, read } of [backslashes, percents, references]) {
      const next = reread(reading, pattern, read);
      if (!known.has(next.text)) known.set(next.text, { reading: next, depth: depth + 1 });
    }
  }
  return [...known.values()].map(({ reading }) => reading);
}

/** A reading without what matches a pattern. */
export function without(reading: Reading, pattern: RegExp): Reading {
  return reread(reading, pattern, () => "");
}

function reread(reading: Reading, pattern: RegExp, read: (found: string) => string): Reading {
  const starts = new Int32Array(reading.text.length);
  const ends = new Int32Array(reading.text.length);
  let text = "";
  let done = 0;
  function keep(until: number): void {
    const kept = reading.text.slice(done, until);
    for (let at = text.length; done < until; at++) {
      starts[at] = done++;
      ends[at] = done;
    }
    text += kept;
  }
  for (const { 0: found, index } of reading.text.matchAll(pattern)) {
    keep(index);
    const instead = read(found);
    done = index + found.length;
    starts.fill(index, text.length, text.length + instead.length);
    ends.fill(done, text.length, text.length + instead.length);
    text += instead;
  }
  if (done === 0) return reading;
  keep(reading.text.length);
  return { text, place: (start, end) => reading.place(starts[start] ?? 0, ends[end - 1] ?? 0) };
}
