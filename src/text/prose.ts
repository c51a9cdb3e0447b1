import { codeSpan } from "./markdown.ts";
import { sanitizeLine } from "./sanitize.ts";

/**
 * Sentences that may quote text from outside, as Markdown. Plain words and short numbers stay as they are. All else
 * becomes code, without the punctuation around it, so that it can't act as Markdown: whatever is in double quotes, JSON, and
 * every other word, such as an id, a path, a URL, a mention or markup.
 */
export function prose(text: string): string {
  return [...sanitizeLine(text).matchAll(piece)]
    .map(({ groups = {} }, index) => {
      const { before, inside, after, isQuoted } = pieceOf(groups);
      const startsList = index === 0 && /^\d+$/.test(inside) && /^[.)]/.test(after);
      const isCode = isQuoted || startsList || !isPlain(inside);
      return `${before}${isCode ? codeSpan(inside) : inside}${after}`;
    })
    .join(" ");
}

/** A word, or several in quotes, and the punctuation around it. */
interface Piece {
  readonly before: string;
  readonly inside: string;
  readonly after: string;
  readonly isQuoted: boolean;
}

const piece =
  /(?<quote>[(“]*")(?<quoted>[^"]*[^"\s])(?<unquote>"[)"”.,;:!?…]*(?=\s|$))|(?<json>[{[](?=["{[]).*?[}\]])(?<afterJson>[.,;:!?…]*)(?=\s|$)|(?<word>\S+)/g;

function pieceOf(groups: Readonly<Record<string, string | undefined>>): Piece {
  const { quote = "", quoted, unquote = "", json, afterJson = "", word = "" } = groups;
  if (quoted !== undefined) return { before: quote, inside: quoted, after: unquote, isQuoted: true };
  if (json !== undefined) return { before: "", inside: json, after: afterJson, isQuoted: true };
  return { ...splitPunctuation(word), isQuoted: false };
}

/** Splits the punctuation off a word. A bracket or quote whose other half is inside belongs to the word. */
function splitPunctuation(word: string): Omit<Piece, "isQuoted"> {
  let start = /^[(“"]*/.exec(word)?.[0].length ?? 0;
  let end = word.length - (/[)"”.,;:!?…]*$/.exec(word)?.[0].length ?? 0);
  if (start >= end) return { before: "", inside: word, after: "" };
  while (closesPair(word[end], word.slice(start, end))) end += 1;
  while (closesPair(word[start - 1], word.slice(start, end))) start -= 1;
  return { before: word.slice(0, start), inside: word.slice(start, end), after: word.slice(end) };
}

/** Whether this character beside a word is the other half of a bracket or quote inside of it. */
function closesPair(character: string | undefined, inside: string): boolean {
  const count = (mark: string) => inside.split(mark).length - 1;
  const unclosed = count("(") - count(")");
  if (character === "(") return unclosed < 0;
  if (character === ")") return unclosed > 0;
  return character === '"' && count('"') % 2 === 1;
}

/** A word or a short number. GitHub links long hexadecimal ones as commits. */
function isPlain(word: string): boolean {
  const isWord = /^[A-Za-z]+(['’-][A-Za-z]+)*$/.test(word) && !/\b[0-9a-f]{7,}/i.test(word);
  return isWord || /^(\d{1,3}(,\d{3}){1,4}|\d{1,6}(\.\d{1,6})?)$/.test(word);
}
