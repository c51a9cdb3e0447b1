import { expect, test } from "@jest/globals";
import { startAgent } from "../scenario/after/support.ts";
import { startScenario } from "../support/scenario.ts";

/** 3,000 characters, no two parts of which are the same. */
const secret = Array.from({ length: 500 }, (_, index) => String(100_000 + index * 7)).join("");

/** What a run shows of a failed smoke test whose response is this one. */
async function shownOf(text: string): Promise<string> {
  const agent = await startAgent((_request, response) => response.end(text));
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    secrets: `TOKEN=${secret}`,
    smoke_tests: "- { name: asks, request: GET /, expect: { contains: missing } }",
  });
  expect(run.succeeded).toBe(false);
  return [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
}

/** The parts of the secret that a text has: 12 characters of it are in no other text. */
function partsIn(shown: string): string[] {
  const parts = Array.from({ length: Math.floor(secret.length / 6) - 1 }, (_, index) =>
    secret.slice(index * 6, index * 6 + 12),
  );
  return parts.filter((part) => shown.includes(part));
}

const filler = (length: number) => "word ".repeat(length / 5);

test.each<[string, string]>([
  ["before the end that is shown", filler(5000) + secret + filler(500)],
  ["long before the end that is shown", filler(100) + secret + filler(5000)],
  ["at the end of a text that is too long to be searched", filler(97_000) + secret.repeat(3)],
  ["where such a text is cut", filler(60_000) + secret + filler(48_900)],
])("a secret that stands %s is shown in no part", async (_where, text) => {
  const shown = await shownOf(`beginning ${text}`);

  expect(shown).toContain("…");
  expect(partsIn(shown)).toEqual([]);
});

test.each(["\n", "\r\n", "\n    ", " "])("a secret that %j breaks is shown in no part", async (blanks) => {
  const broken = (secret.match(/.{30}/g) ?? []).join(blanks);

  const shown = await shownOf(`beginning ${broken} end`);

  expect(partsIn(shown).filter((part) => broken.includes(part))).toEqual([]);
});
