import { describe, expect, test } from "@jest/globals";
import { createWarning, lostSecrets } from "../../../../src/deploy/plan/rules.ts";
import type { Target } from "../../../../src/inputs/control-plane.ts";
import { standard } from "../../../../src/platform/platforms.ts";
import { rawText } from "../../../../src/text/message.ts";
import { byId, byName, langsmith, planned, type Texts } from "../support/planned.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

function problems(inputs: Texts, target: Target = byName) {
  return planned(inputs, { target, platform: langsmith }).problems;
}

const about = (input: string, problem: RegExp) => [{ input, problem: expect.stringMatching(problem) }];

describe("a name", () => {
  const named = (name: string) => problems({}, { kind: "name", name });

  test.each(["agent", "a", `a${"b".repeat(62)}`, "a-1", ""])(
    "%j is accepted, or was rejected before",
    (name) => {
      expect(named(name)).toEqual([]);
    },
  );

  test.each(["Agent", "1agent", "my_agent", "my agent", `a${"b".repeat(63)}`, "-a", "agent."])(
    "%s is refused with the rule",
    (name) => {
      const rule = /^must consist of lowercase letters.* at most 63 characters on this platform, not /;
      expect(named(name)).toEqual(about("name", rule));
      expect(named(name)[0]?.problem).toContain(name);
    },
  );

  test("is not checked if deployment_id is given", () => {
    expect(problems({}, byId)).toEqual([]);
  });
});

const notCommit = about("repo_ref", /^must be a branch or a tag.* does not deploy commits$/);
const misspelled = (meant: string) =>
  about("deployment_type", new RegExp(`^must be a known type .* \\(did you mean ${meant}\\?\\)$`));
const notOnPush = about("build_on_push", /^must be false for a tag$/);

test.each<[string, Texts, unknown]>([
  ["a commit as ref", { repo_ref: commit }, notCommit],
  ["a commit in capitals as ref", { repo_ref: commit.toUpperCase() }, notCommit],
  ["a ref that ends with a commit", { repo_ref: `release-${commit}` }, []],
  ["a ref that starts with a commit", { repo_ref: `${commit}-fix` }, []],
  ["a tag", { repo_ref: "refs/tags/v1" }, []],
  ["a tag that is not built on push", { repo_ref: "refs/tags/v1", build_on_push: "false" }, []],
  ["a tag that is built on push", { repo_ref: "refs/tags/v1", build_on_push: "true" }, notOnPush],
  ["a branch that is built on push", { build_on_push: "true" }, []],
  ["a branch named like a tag", { repo_ref: "x/refs/tags/v1", build_on_push: "true" }, []],
  ["no ref", { source: "external_docker", image_uri: "image:1", build_on_push: "true" }, []],
  ["a known type", { deployment_type: "prod" }, []],
  ["a longer word for a type", { deployment_type: "production" }, []],
  ["an unknown type", { deployment_type: "turbo" }, []],
  ["a known type in capitals", { deployment_type: "Dedicated" }, misspelled("dedicated")],
  ["a misspelled type", { deployment_type: "servrless" }, misspelled("serverless")],
  ["a misspelled old type", { deployment_type: "prodd" }, misspelled("prod")],
  [
    "secrets with reserved names",
    { secrets: "REDIS_URI=1\nOPENAI_API_KEY=abcd\nLOG_JSON=true" },
    [...about("secrets", /^contains REDIS_URI,.* sets itself$/), ...about("secrets", /^contains LOG_JSON,/)],
  ],
  ["secrets whose names only the cloud reserves", { secrets: "PORT=1\nLANGSMITH_API_KEY=abcd" }, []],
  ["a listener", { listener_id: "l" }, []],
])("the rules of langsmith judge %s", (_what, inputs, expected) => {
  expect(problems(inputs)).toEqual(expected);
});

test.each(Object.entries(langsmith.regions))(
  "the cloud in %s reserves more names of secrets",
  (_region, hosts) => {
    const inputs = { secrets: "PORT=1\nPATH_1=/bin\nPATH=/bin" };

    const { problems, notices } = planned(inputs, { platform: langsmith, url: hosts.controlPlane });

    expect(problems).toEqual([
      ...about("secrets", /^contains PORT,/),
      ...about("secrets", /^contains PATH,/),
    ]);
    expect(notices).toEqual([]);
  },
);

test("all broken rules are reported at once", () => {
  const inputs = { repo_ref: commit, secrets: "LOG_JSON=true" };

  const reported = problems(inputs, { kind: "name", name: "My Agent" });

  expect(reported.map(({ input }) => input)).toEqual(["name", "repo_ref", "secrets"]);
});

test("the standard platform has none of these rules, but no listeners", () => {
  const inputs = { repo_ref: commit, deployment_type: "x", secrets: "PATH=/bin\nLOG_JSON=true" };
  const target = { kind: "name", name: "An Agent with a very long name" } as const;

  expect(planned(inputs, { target })).toMatchObject({
    problems: [],
    notices: [],
  });
  expect(planned({ listener_id: "l" }).problems).toEqual(about("listener_id", /not supported/));
  expect(planned({ source_path: "." }).problems).toEqual(about("source_path", /not supported/));
});

function noticesOf(inputs: Texts): readonly string[] {
  return planned(inputs, { platform: langsmith }).notices;
}

describe("a notice says what is sent although the platform may refuse it:", () => {
  test("a type of deployment that is not known", () => {
    expect(noticesOf({ deployment_type: "turbo" })).toEqual([
      "The deployment_type turbo is not known to this action. It is sent unchanged if the deployment is created; an existing deployment keeps its type. Known types: serverless, dev, dev_zero, dev_free, dev_free_zero, dedicated and prod.",
    ]);
  });

  test("nothing of a type that is known or misspelled", () => {
    expect(["prod", "prodd"].map((type) => noticesOf({ deployment_type: type }))).toEqual([[], []]);
  });

  test("a type of deployment that is a longer word for one that is known", () => {
    expect(noticesOf({ deployment_type: "production" })).toEqual([
      expect.stringContaining("Did you mean prod?"),
    ]);
  });

  test("secrets whose names only the cloud reserves, without their values", () => {
    const secrets = "LANGSMITH_API_KEY=some-value\nOPENAI_API_KEY=other-value\nPORT=8080";

    expect(noticesOf({ secrets })).toEqual([
      "The platform's cloud sets these secrets itself: LANGSMITH_API_KEY and PORT. They are sent, because this control plane is not that cloud.",
    ]);
  });

  test.each<[string, Texts]>([
    ["no type and no secret", {}],
    ["a type of the older generation", { deployment_type: "dev_free" }],
    ["a type of the newer generation", { deployment_type: "serverless" }],
    ["a secret of a name that nobody reserves", { secrets: "PORTS=1" }],
  ])("nothing for %s", (_what, inputs) => {
    expect(noticesOf(inputs)).toEqual([]);
  });
});

test.each<[string, readonly string[] | undefined, readonly string[] | undefined, readonly string[]]>([
  ["without secrets", undefined, ["A"], []],
  ["of a deployment that does not show its secrets", ["A"], undefined, []],
  ["with all secrets of the deployment", ["B", "A"], ["A", "B"], []],
  ["with another secret", ["C"], ["A", "B"], ["A", "B"]],
  ["with some secrets of the deployment", ["B"], ["A", "B"], ["A"]],
])("an update %s removes the others", (_what, sent, secretNames, lost) => {
  const secrets = sent?.map((name) => ({ name, value: "1" }));

  expect(lostSecrets({ ...(secrets && { secrets }) }, { secretNames })).toEqual(lost);
});

describe("a warning before the create says that a name is too long for a self-hosted installation", () => {
  const [own, cloud] = ["https://agents.example/api-host", "https://eu.api.host.langchain.com"];
  const image: Texts = { source: "external_docker", image_uri: "image:1" };
  const warningOf = (name: string, url: string, inputs: Texts = {}, platform = langsmith) => {
    const { create } = planned(inputs, { target: { kind: "name", name }, platform, url }).plan;
    const warning = create && createWarning(create, { platform, url: new URL(url) });
    return warning && rawText(warning);
  };
  const [longest, tooLong] = ["a".repeat(21), "a".repeat(22)];

  test.each<[string, string, Texts]>([
    ["on a host of one's own", own, {}],
    ["with an image that the cloud controls", cloud, image],
  ])("a name of 22 characters gets the warning %s, and one of 21 does not", (_what, url, inputs) => {
    expect(warningOf(tooLong, url, inputs)).toMatch(
      new RegExp(`^The name ${tooLong} has 22 characters.* longer than 21, but never reports it as ready`),
    );
    expect(warningOf(longest, url, inputs)).toBeUndefined();
  });

  test("but not on the cloud, nor on the standard platform", () => {
    expect(warningOf(tooLong, cloud)).toBeUndefined();
    expect(warningOf(tooLong, own, {}, standard)).toBeUndefined();
  });
});
