import { inertLine } from "./inert.ts";
import { codeSpan } from "./markdown.ts";

/** The inputs, of all actions, whose name is an ordinary word. */
export const ordinaryInputs: ReadonlySet<string> = new Set([
  "clear",
  "comment",
  "environment",
  "label",
  "name",
  "platform",
  "region",
  "secrets",
  "source",
  "wait",
]);

/**
 * Sentences that may quote text from outside. Plain words and short numbers stay prose. Nothing else is live, because
 * it stands in code, each piece without the punctuation around it:
 *
 * - what stands in double quotes, whatever that is;
 * - a setting such as `wait: true`, and `true` and `false` alone;
 * - an input's name, where that is an ordinary word: behind Input, check, set or give, or in front of another name;
 * - every other word: an id, a path, an address, a mention, markup.
 */
export function prose(text: string): string {
  const pieces = [...inertLine(text).matchAll(piece)].map(({ groups = {} }) => pieceOf(groups));
  return pieces
    .map(({ before, inside, after, isQuoted }, index) => {
      const startsList = index === 0 && /^\d+$/.test(inside) && /^[.)]/.test(after);
      const isCode = isQuoted || startsList || !isPlain(inside) || isInput(index, pieces);
      return `${before}${isCode ? codeSpan(inside) : inside}${after}`;
    })
    .join(" ");
}

/** A word, or several that are one literal, and the punctuation around it. */
interface Piece {
  readonly before: string;
  readonly inside: string;
  readonly after: string;
  readonly isQuoted: boolean;
}

const closing = String.raw`[)"”.,;:!?…]*(?=\s|$)`;
const piece = new RegExp(
  [
    String.raw`(?<quote>[(“]*")(?<quoted>[^"]*[^"\s])(?<unquote>"${closing})`,
    `(?<before>[(“"]*)(?<setting>[a-z][a-z0-9_]*: (?:true|false))(?<after>${closing})`,
    String.raw`(?<word>\S+)`,
  ].join("|"),
  "g",
);

function pieceOf(groups: Readonly<Record<string, string | undefined>>): Piece {
  const { quote = "", quoted, unquote = "", before = "", setting, after = "", word = "" } = groups;
  if (quoted !== undefined) return { before: quote, inside: quoted, after: unquote, isQuoted: true };
  const rest = setting === undefined ? peeled(word) : { before, inside: setting, after };
  return { ...rest, isQuoted: false };
}

/** A word without the punctuation around it. A bracket or quote whose other half is inside belongs to the word. */
function peeled(word: string): Omit<Piece, "isQuoted"> {
  let start = /^[(“"]*/.exec(word)?.[0].length ?? 0;
  let end = word.length - (/[)"”.,;:!?…]*$/.exec(word)?.[0].length ?? 0);
  if (start >= end) return { before: "", inside: word, after: "" };
  while (isHalf(word[end], word.slice(start, end))) end += 1;
  while (isHalf(word[start - 1], word.slice(start, end))) start -= 1;
  return { before: word.slice(0, start), inside: word.slice(start, end), after: word.slice(end) };
}

function isHalf(character: string | undefined, inside: string): boolean {
  const count = (one: string) => inside.split(one).length - 1;
  const surplus = count("(") - count(")");
  if (character === "(") return surplus < 0;
  if (character === ")") return surplus > 0;
  return character === '"' && count('"') % 2 === 1;
}

/** A word or a short number. Long hexadecimal ones would be linked as commits. */
function isPlain(word: string): boolean {
  const isWord = /^[A-Za-z]+(['’-][A-Za-z]+)*$/.test(word) && !/^(true|false)$/.test(word);
  return (
    (isWord && !/\b[0-9a-f]{7,}/i.test(word)) || /^(\d{1,3}(,\d{3}){1,4}|\d{1,6}(\.\d{1,6})?)$/.test(word)
  );
}

function isInput(index: number, pieces: readonly Piece[]): boolean {
  const { inside, after } = pieces[index] ?? { inside: "", after: "" };
  if (!ordinaryInputs.has(inside)) return false;
  const previous = pieces[index - 1];
  const isNamed = previous?.after === "" && /^(input|check|set|give)$/i.test(previous.inside);
  return isNamed || (after === "," && /^[a-z]+(_[a-z]+)+$/.test(pieces[index + 1]?.inside ?? ""));
}
