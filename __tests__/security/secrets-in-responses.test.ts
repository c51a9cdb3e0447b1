import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../emulator/index.ts";
import { answer } from "../support/faults.ts";
import type { Scenario, ScenarioRun } from "../support/scenario.ts";
import {
  apiKey,
  type Canaries,
  colouredEchoesOf,
  deployCanaries,
  deploymentSecrets,
  echoesOf,
  githubToken,
  plainEchoesOf,
} from "./support/canaries.ts";
import { leaksOf, secretInputs, sentToGitHub, startLeakScenario } from "./support/leak-scenario.ts";

const echoes = echoesOf(deployCanaries);
const plainEchoes = plainEchoesOf(deployCanaries);
const colouredEchoes = colouredEchoesOf(deployCanaries);
const create = { method: "POST", path: "^/v2/deployments$", times: "always" } as const;

test("a preview sends every secret to the platform as it was given, and shows none", async () => {
  const { emulator, open, preview } = await startLeakScenario();
  open();

  const run = await preview("opened", { inputs: secretInputs });

  const secrets = Object.entries(deploymentSecrets).map(([name, value]) => ({ name, value }));
  expect(emulator.requests.find(({ method }) => method === "POST")?.body).toMatchObject({ secrets });
  expect(run.outputs.outcome).toBe("deployed");
  expect(leaksOf(run)).toEqual([]);
});

interface Place {
  /** The rules by which the platform puts a text into its responses. */
  readonly faults: (text: string, scenario: Scenario) => readonly FaultRule[];
  /** The part of a run that shows the text. */
  readonly shown: (run: ScenarioRun) => string | undefined;
}

const refusal = (status: number, body: unknown, headers = {}): readonly FaultRule[] => [
  answer(create, status, { body, headers }),
];
const redirect = (text: string): readonly FaultRule[] => {
  const location = encodeURI(`https://elsewhere.example/${encodeURIComponent(text).slice(0, 150)}`);
  return refusal(307, "", { location });
};
const ids = (id: string, revision: string): readonly FaultRule[] => [
  answer(create, 201, { body: { id, latest_revision_id: revision } }),
  answer("/revisions/", 200, { body: { id: revision, status: "BUILD_FAILED" }, times: "always" }),
];
/** An id with a blank is none. */
const withoutBlanks = (text: string) => text.replace(/\s/g, "_");
const errors = (run: ScenarioRun) => run.errors.join("\n");

const places: Readonly<Record<string, Place>> = {
  "the detail of a refusal": { faults: (text) => refusal(400, { detail: text }), shown: errors },
  "a refusal of another shape": {
    faults: (text) => refusal(400, { error: { message: text, [text]: true } }),
    shown: errors,
  },
  "a refusal in HTML": {
    faults: (text) =>
      refusal(403, `<html><title>No</title><body><pre>${text}</pre></body></html>`, {
        "content-type": "text/html",
      }),
    shown: errors,
  },
  "a redirect": { faults: redirect, shown: errors },
  "the id of a deployment": {
    faults: (text) => ids(withoutBlanks(text), "r"),
    shown: ({ outputs }) => outputs.deployment_id,
  },
  "the id of a revision": {
    faults: (text) => ids("d", withoutBlanks(text)),
    shown: ({ outputs }) => outputs.revision_id,
  },
  "the URL of a deployment": {
    faults: (text, { emulator }) => [
      answer("GET ^/v2/deployments/[^/]+$", 200, {
        body: {
          id: emulator.deployments()[0]?.id,
          url: `https://agent.example.com/${encodeURIComponent(text)}`,
        },
        times: "always",
      }),
    ],
    shown: ({ outputs }) => outputs.deployment_url,
  },
};

describe("a preview shows no secret that the platform sends back", () => {
  test.each(Object.entries(places))("in %s", async (where, { faults, shown }) => {
    const scenario = await startLeakScenario();
    const { emulator, open, preview } = scenario;
    // A short value of `secrets` may be in an id or a URL by chance, and stays.
    const { PLAIN = "", QUOTED = "" } = deployCanaries;
    const canaries: Canaries = shown === errors ? deployCanaries : { apiKey, githubToken, PLAIN, QUOTED };
    open();
    if (where.startsWith("the URL")) await preview("opened", { inputs: secretInputs });

    for (const text of plainEchoesOf(canaries)) {
      const heal = faults(text, scenario).map((fault) => emulator.addFault(fault));
      const run = await preview("synchronize", { inputs: secretInputs });
      for (const undo of heal) undo();

      expect(shown(run)).toContain("***");
      expect(leaksOf(run)).toEqual([]);
    }
  });

  test("in the items of a 422", async () => {
    const { emulator, open, preview } = await startLeakScenario();
    const item = (text: string) => ({ loc: ["body", text.slice(0, 80), 0], msg: text, type: "value_error" });
    emulator.addFault(answer(create, 422, { body: { detail: echoes.map(item) } }));
    open();

    const run = await preview("opened", { inputs: secretInputs });

    expect(run.errors.length).toBeGreaterThan(20);
    expect(leaksOf(run)).toEqual([]);
  });

  test("in the statuses of a revision", async () => {
    const { emulator, open, preview } = await startLeakScenario();
    const pending = [...plainEchoes, ...colouredEchoes].map((text) => ({ status: text, seconds: 5 }));
    emulator.addFault({
      kind: "statuses",
      sequence: [...pending, { status: `FAILED ${colouredEchoes[0]}` }],
    });
    open();

    const run = await preview("opened", { inputs: secretInputs });

    expect(run.outputs).toMatchObject({ outcome: "failed", status: expect.stringContaining("FAILED ***") });
    expect(run.infos.length).toBeGreaterThan(plainEchoes.length);
    expect(leaksOf(run)).toEqual([]);
  });

  test("in the detail of a refusal in colours", async () => {
    const { emulator, open, preview } = await startLeakScenario();
    open();

    for (const detail of colouredEchoes) {
      emulator.addFault(answer(create, 400, { body: { detail } }));
      const run = await preview("synchronize", { inputs: secretInputs });

      for (const shown of [run.log, run.summary, sentToGitHub(run)]) expect(shown).toContain("***");
      expect(leaksOf(run)).toEqual([]);
    }
  });

  test("in reads of the revision that fail", async () => {
    const { emulator, open, preview } = await startLeakScenario({ statusSeconds: 20 });
    for (const [index, detail] of plainEchoes.entries()) {
      emulator.addFault(answer("GET /revisions/", 503, { body: { detail }, from: index + 1 }));
    }
    open();

    const run = await preview("opened", { inputs: secretInputs });

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.infos.filter((line) => line.includes("***")).length).toBeGreaterThan(0);
    expect(leaksOf(run)).toEqual([]);
  });

  test("in the log of a build that failed", async () => {
    const { emulator, open, preview } = await startLeakScenario({ platform: "langsmith" });
    const inputs = {
      ...secretInputs,
      platform: "langsmith",
      integration_id: "11111111-1111-4111-8111-111111111111",
    };
    emulator.addFault({ kind: "statuses", sequence: [{ status: "BUILD_FAILED" }] });
    open();

    // At most 50 lines are shown, and some of these texts have several.
    for (let first = 0; first < echoes.length; first += 15) {
      const logs = echoes
        .slice(first, first + 15)
        .map((text) => ({ level: "ERROR", message: `env: ${text}` }));
      const heal = emulator.addFault(answer("_logs$", 200, { body: { logs }, times: "always" }));
      const build_log = first % 30 === 0 ? "failure" : "live";
      const run = await preview("opened", { inputs: { ...inputs, build_log } });
      heal();

      for (const shown of [run.log, run.summary, sentToGitHub(run)]) expect(shown).toContain("***");
      expect(leaksOf(run)).toEqual([]);
    }
  });
});

test.each([455, 470, 480, 490, 500])(
  "a preview shows no part of a secret where a text is cut, which begins after %d characters",
  async (length) => {
    const { emulator, open, preview } = await startLeakScenario();
    const detail = "x".repeat(length) + apiKey;
    emulator.addFault(answer(create, 400, { body: { detail } }));
    open();

    const run = await preview("opened", { inputs: secretInputs });

    expect([run.log, run.summary, sentToGitHub(run)].join("\n")).not.toContain("canary");
  },
);

test("a preview shows no secret that GitHub sends back in a refusal", async () => {
  const { github, open, preview } = await startLeakScenario();
  open();

  for (const text of plainEchoes) {
    const body = { message: text };
    const heal = github.fail(answer("any", 422, { body, times: "always" }));
    const run = await preview("opened", { inputs: secretInputs });
    heal();

    expect(run.warnings.join("\n")).toContain("***");
    expect(leaksOf(run)).toEqual([]);
  }
});
