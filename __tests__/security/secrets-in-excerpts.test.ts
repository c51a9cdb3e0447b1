import { expect, test } from "@jest/globals";
import { startAgent } from "../scenario/after/support.ts";
import { startScenario } from "../support/scenario.ts";

/** 3,000 characters, no two parts of which are the same. */
const secret = Array.from({ length: 500 }, (_, index) => String(100_000 + index * 7)).join("");

/** What a run shows of a failed smoke test whose response is this one. */
async function shownOf(text: string, value = secret): Promise<string> {
  const agent = await startAgent((_request, response) => response.end(text));
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    secrets: `TOKEN=${value}`,
    smoke_tests: "- { name: asks, request: GET /, expect: { contains: missing } }",
  });
  expect(run.succeeded).toBe(false);
  return [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
}

/** The parts of the secret that a text has: 12 characters of it are in no other text. */
function partsIn(shown: string, value = secret): string[] {
  const parts = Array.from({ length: Math.floor(value.length / 6) - 1 }, (_, index) =>
    value.slice(index * 6, index * 6 + 12),
  );
  return parts.filter((part) => shown.includes(part));
}

const filler = (length: number) => "word ".repeat(length / 5);

test.each<[string, string]>([
  ["before the end that is shown", filler(5000) + secret + filler(500)],
  ["after the beginning that is shown", filler(100) + secret + filler(5000)],
  ["around all that is left out", filler(100) + secret + filler(300)],
])("a secret that stands %s is shown in no part", async (_where, text) => {
  const shown = await shownOf(text);

  expect(shown).toContain("***");
  expect(partsIn(shown)).toEqual([]);
});

test.each<[string, string]>([
  ["many times", `${secret} `.repeat(200)],
  ["at the end", `beginning ${filler(97_000)}${secret.repeat(3)} end`],
  ["across the place where it is cut", `beginning ${filler(48_900)}${secret}${filler(60_000)} end`],
  ["across where the rest is left out at once", `beginning ${filler(98_500)}${secret}${filler(60_000)} end`],
])(
  "of a response too long to be searched for secrets, only the beginning is shown (one stands %s)",
  async (_where, text) => {
    const shown = await shownOf(text);

    expect(partsIn(shown)).toEqual([]);
    expect(shown).not.toContain(" end");
  },
);

test("a secret that is longer than what is searched is shown in no part", async () => {
  const long = Array.from({ length: 9000 }, (_, index) => String(100_000 + index * 7)).join("");

  const shown = await shownOf(`beginning ${long}`, long);

  expect(partsIn(shown, long)).toEqual([]);
});
