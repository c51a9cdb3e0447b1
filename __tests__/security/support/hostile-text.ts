import fc from "fast-check";
import { anyText } from "../../unit/support/any-text.ts";
import { markup } from "../../unit/support/hostile-markdown.ts";

const listed = (text: string) => text.split(" / ");

/** Characters that nobody sees. The runner skips most of them when it searches for `::` and `##[`. */
const invisible = [
  ..."\u00ad\u034f\u061c\u180e\u200b\u200d\u202e\u2060\u2066\ufe0f\ufeff\ufff9\u{e0001}\u{e0020}",
];
const controls = [..."\r\n\t\v\f\0\u0007\u0008\u007f\u0085\u2028\u2029", "\r\n"];
const ansi = [
  ...["\u001b[31m", "\u001b[2K", "\u001b[1;1H", "\u001b", "\u009b31m"],
  ...["\u001b]8;;https://evil.example\u0007", "\u001b]0;title\u001b\\"],
];
const commands = [
  ...listed("::error::owned / ::set-output name=outcome::deployed / ::add-mask::e / ::stop-commands::pause"),
  ...listed("::group::x / ::endgroup:: / ::save-state name=record::7 / ::set-env name=PATH::/evil"),
  ...listed("##[error]owned / ##[set-output name=outcome;]deployed / ##[add-mask]e / : / :: / # / ## / ##["),
  ...listed("%0A::error::owned / %0D / %25"),
];
const delimiters = [
  ...listed("ghadelimiter_00000000-0000-4000-8000-000000000000 / outcome<<EOF / EOF / outcome=deployed / <<"),
  "\noutcome=deployed\n",
];
const plain = [
  ...listed("word / BUILDING / DEPLOYED / FAILED / an error / … / é / \u00a0 / \u3000 / 👩‍💻 / \ud800"),
  ...[" ", "  "],
];

/** Text that a server, a ref or a file may hold, made of what does harm when it is printed or rendered. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...commands) },
      { weight: 4, arbitrary: fc.constantFrom(...markup) },
      { weight: 3, arbitrary: fc.constantFrom(...invisible, ...controls) },
      { weight: 2, arbitrary: fc.constantFrom(...ansi, ...delimiters) },
      { weight: 2, arbitrary: fc.constantFrom(...plain) },
      { weight: 1, arbitrary: anyText({ maxLength: 5 }) },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""));

/** The same for ids and the like, from which passwords in URLs are removed. */
export const hostileValue = hostileText
  .map((text) => text.toWellFormed())
  .filter((text) => !/^\.{0,2}$/.test(text) && !text.includes("://"));

/** The same for ids that a response must have: with a blank or invisible character, it would be no response. */
export const hostileId = hostileValue
  .map((text) => text.replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu, ""))
  .filter((text) => !/^\.{0,2}$/.test(text) && !text.includes("://"));

/** The statuses of a revision: each call returns the next one, and the last one stays. */
export const hostileStatuses: fc.Arbitrary<() => string | undefined> = fc
  .tuple(
    fc.array(hostileText, { maxLength: 6 }),
    fc.oneof(
      fc.constant("DEPLOYED"),
      hostileText.map((text) => `${text} FAILED`),
    ),
  )
  .map(([pending, end]) => {
    const left = [...pending, end];
    return () => (left.length > 1 ? left.shift() : left[0]);
  });
