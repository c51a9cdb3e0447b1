import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Renderer } from "../../../src/report/renderer.ts";
import {
  code,
  idText,
  inputName,
  link,
  type Phrase,
  quote,
  shortened,
  text,
} from "../../../src/text/message.ts";
import { createRedactor } from "../../../src/text/redact.ts";
import { hostile } from "../support/hostile-markdown.ts";
import { elements, outsideCode, rendered } from "../support/rendered.ts";
import { plainRenderer } from "./support/plain-renderer.ts";

const render = plainRenderer;
const revision = "b637c2f0-1111-4222-8333-123456789abc";

const kinds: readonly [string, (raw: string) => Phrase][] = [
  ["code", code],
  ["id", idText],
  ["url", link],
  ["quote", quote],
];

describe("plain text", () => {
  test.each([
    ["a name", code("my-agent"), "my-agent"],
    ["the id of a revision in full", idText(revision), revision],
    ["an address", link("https://agent.example/x?y=1"), "https://agent.example/x?y=1"],
    ["somebody's words in quotes", quote("No such key"), '"No such key"'],
    ["the name of an input", inputName("repo_ref"), "repo_ref"],
    ["one line of several", code("a\nb\r\nc"), "a b c"],
    ["no command of the runner", code("##[error]x"), "## [error]x"],
  ])("shows %s", (_title, value, expected) => {
    expect(render.plain(text`${value}`)).toBe(expected);
  });

  test("cuts a value to its length, and not the words after it", () => {
    expect(render.plain(text`It said ${quote("x".repeat(30), 10)} twice.`)).toBe(
      'It said "xxxxxxxxx…" twice.',
    );
  });

  test("never starts with a command of the runner", () => {
    expect(render.plain(text`${code("::error::x")} was seen.`)).not.toMatch(/^::/);
  });
});

describe("Markdown", () => {
  test.each([
    ["a name", code("my-agent"), "`my-agent`"],
    ["the id of a revision by its first 8 characters", idText(revision), "`b637c2f0`"],
    [
      "an address as a link",
      link("https://agent.example/x"),
      "[`https://agent.example/x`](<https://agent.example/x>)",
    ],
    ["an address of another kind as code", link("javascript:alert(1)"), "`javascript:alert(1)`"],
    ["somebody's words as code", quote("No *such* key"), "`No *such* key`"],
    ["the name of an input", inputName("repo_ref"), "`repo_ref`"],
  ])("shows %s", (_title, value, expected) => {
    expect(render.markdown(text`${value}`)).toBe(expected);
  });

  test("keeps the words of this action words", () => {
    expect(rendered(render.markdown(text`A value of NAME<<DELIMITER with *two* __lines__.`))).toBe(
      "<p>A value of NAME&lt;&lt;DELIMITER with *two* __lines__.</p>",
    );
  });

  const inert = kinds.filter(([kind]) => kind !== "url");
  test.each(inert)("lets nothing in a value of kind %s act as markup", (_kind, value) => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const markdown = render.markdown(text`Before ${value(raw)} after.`);

        expect(elements(markdown)).toEqual(["p"]);
        expect(outsideCode(markdown)).not.toMatch(/[@#]|https?:|www\.|evil|deadbeef/);
      }),
      { numRuns: 200 },
    );
  });

  test("makes no more than one link of an address", () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const markdown = render.markdown(text`Before ${link(`https://agent.example/${raw}`)} after.`);

        expect(elements(markdown)).toEqual(expect.arrayContaining(["p"]));
        expect(elements(markdown).filter((name) => !["a", "p"].includes(name))).toEqual([]);
        expect(rendered(markdown).match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});

function rendererWithout(secret: string): Renderer {
  const text = createRedactor([secret]);
  return new Renderer({ redactText: text, redactIdentifier: text });
}

describe("the id of a revision", () => {
  const [ours, newer] = ["01hv8z3k-1111-7222", "01hv8z3k-2222-7333"];
  const fresh = () => new Renderer({ redactText: String, redactIdentifier: String });

  test("is short, however often it is shown", () => {
    const renderer = fresh();
    renderer.plain(text`${idText(revision)}`);

    expect(renderer.markdown(text`${idText(revision)} and ${idText(revision)}`)).toBe(
      "`b637c2f0` and `b637c2f0`",
    );
  });

  test("is shown in full if another one in the message, which was logged, begins alike", () => {
    const renderer = fresh();
    const message = text`${idText(ours)} was deployed. ${idText(newer)} is live now.`;
    renderer.plain(message);

    expect(renderer.markdown(message)).toBe(`\`${ours}\` was deployed. \`${newer}\` is live now.`);
  });

  test.each<[string, (renderer: Renderer) => string]>([
    ["the log", (renderer) => renderer.plain(text`${idText(newer)}`)],
    ["a table", (renderer) => renderer.idCell(newer)],
    ["a block of code", (renderer) => renderer.inBlock(text`${idText(newer)}`)],
  ])("is shown in full if one in %s began alike", (_where, show) => {
    const renderer = fresh();
    show(renderer);

    expect(renderer.markdown(text`${idText(ours)}`)).toBe(`\`${ours}\``);
    expect(renderer.inBlock(text`${idText(ours)}`)).toBe(ours);
  });
});

test("a pipe in words of this action is one in a cell too", () => {
  expect(rendered(`|a|\n|-|\n|${render.cell(text`a | b ${code("c|d")}`)}|`)).toContain(
    "<td>a | b <code>c|d</code></td>",
  );
});

describe("secrets", () => {
  const secret = "s3cr3t-value-of-a-key";
  const redacting = rendererWithout(secret);

  test.each(kinds)("are removed from a value of kind %s before it is cut", (_kind, value) => {
    const raw = `${"x".repeat(90)}${secret}`;

    expect(redacting.plain(shortened(value(raw), 100))).not.toContain("s3cr3t");
  });

  test("that happen to be words of this action stay in them", () => {
    const wordy = rendererWithout("live");

    expect(wordy.plain(text`The revision is live at ${code("live-host")}.`)).toBe(
      "The revision is live at ***-host.",
    );
  });

  test("are removed from a URL that a parser would put together", () => {
    const short = rendererWithout("s3cr3t");

    expect(short.markdown(text`${link("https://agent.example/s3c\nr3t")}`)).toBe(
      "`https://agent.example/s3c r3t`",
    );
    expect(short.markdown(text`${link("https://agent.example/s3c\u200br3t")}`)).toContain("***");
  });
});

test.each([
  ["blanks", " "],
  ["line ends", "\n"],
  ["invisible characters", "\u200b"],
])("half a secret that is cut away behind %s is not shown", (_what, part) => {
  const secret = "sk-production-0123456789abcdef";
  const redact = createRedactor([secret]);
  const renderer = new Renderer({ redactText: redact, redactIdentifier: redact });
  const padding = part.repeat(49_980);

  const shown = [renderer.plain(code(padding + secret)), renderer.lines([padding + secret], 1_000).join("")];
  expect(shown.join("").replaceAll(/\s/g, "")).toBe("******");
});
