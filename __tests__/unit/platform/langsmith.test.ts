import { describe, expect, test } from "@jest/globals";
import { RequestError } from "../../../src/http/request-error.ts";
import type { InputProblem } from "../../../src/input-problem.ts";
import type { Deployment } from "../../../src/platform/deployment.ts";
import type { Platform } from "../../../src/platform/platform.ts";
import type { Target } from "../../../src/platform/target.ts";
import { quote, rawText, text } from "../../../src/text/message.ts";
import {
  byName,
  given,
  langsmith,
  langsmithCloud,
  planned,
  standard,
  type Texts,
} from "../deploy/support/planned.ts";
import { deploymentOf } from "../support/wire.ts";

const onMain = { source_revision_config: { repo_ref: "main" } };

function problems(inputs: Texts, target: Target = byName, platform = langsmith) {
  return planned(inputs, { target, platform }).problems;
}

const about = (input: string, problem: RegExp) => [{ input, problem: expect.stringMatching(problem) }];

describe("the requests of an update", () => {
  const requestsOf = (inputs: Texts, source = "github", platform = langsmith) =>
    platform.updateRequests({ ...planned(inputs, { platform }).plan.desired, sourceKind: source });

  test("are the given settings in a PATCH, and a POST that makes the revision", () => {
    const settings = { build_on_push: "true", custom_url: "https://agent.example" };
    const inputs = { ...given, ...settings, resource_spec: '{"cpu":1}', secrets: "A=1" };

    expect(requestsOf(inputs)).toEqual({
      config: {
        method: "PATCH",
        body: { source_config: { ...settings, build_on_push: true, repo_url: given.repo_url } },
      },
      revision: {
        method: "POST",
        body: {
          source_config: { resource_spec: { cpu: 1 } },
          ...onMain,
          secrets: [{ name: "A", value: "1" }],
        },
      },
    });
  });

  test("have no build_on_push for another source than a repository", () => {
    const inputs = { source: "external_docker", image_uri: "image:1", build_on_push: "true" };

    expect(requestsOf(inputs, "external_docker").config).toBeUndefined();
    expect(requestsOf(inputs, "external_docker", standard).revision.body).toEqual({
      source_revision_config: { image_uri: "image:1" },
    });
  });

  test("are one PATCH that names its source for an image of the platform's registry", () => {
    const image = { image_uri: "registry.example.com/agent@sha256:1" };
    const revision = { source_revision_config: image };

    expect(requestsOf({ ...image, build_on_push: "true" }, "internal_docker")).toEqual({
      revision: { method: "PATCH", body: { revision_source: "internal_docker", ...revision } },
    });
    expect(requestsOf(image, "internal_docker", standard)).toEqual({
      revision: { method: "PATCH", body: revision },
    });
  });

  test("are one PATCH with the build commands for an upload", () => {
    expect(requestsOf({ source_path: ".", build_command: "make" }, "internal_source")).toEqual({
      revision: {
        method: "PATCH",
        body: {
          revision_source: "internal_source",
          source_config: { build_command: "make" },
          source_revision_config: { langgraph_config_path: "langgraph.json" },
        },
      },
    });
  });

  test("are one PATCH of all that is given on the standard platform", () => {
    const { source: _, repo_ref: __, ...source_config } = given;

    expect(requestsOf(given, "github", standard)).toEqual({
      revision: { method: "PATCH", body: { source_config, ...onMain } },
    });
  });

  test("have the platform's name of the configuration path", () => {
    const { revision } = requestsOf({ app_config_path: "a.json" });

    expect(revision.body).toEqual({
      source_revision_config: { repo_ref: "main", langgraph_config_path: "a.json" },
    });
  });

  test("have no listener, which is fixed once the deployment exists", () => {
    expect(requestsOf({ listener_id: "l-1" })).toEqual({ revision: { method: "POST", body: onMain } });
  });
});

describe("the body of a create", () => {
  function bodyOf(inputs: Texts) {
    return langsmith.createBody("agent", planned(inputs, { platform: langsmith }).create);
  }

  test("has the platform's names of the configuration path and of the type", () => {
    const body = bodyOf({ app_config_path: "a.json", deployment_type: "dedicated" });

    expect(body.source_config).toMatchObject({ deployment_type: "prod" });
    expect(body.source_revision_config).toStrictEqual({
      repo_ref: "main",
      langgraph_config_path: "a.json",
      image_uri: null,
    });
  });

  test("has the namespace of an image on a cluster, and no type, which the platform would refuse", () => {
    const image = {
      source: "external_docker",
      image_uri: "i:1",
      listener_id: "l-1",
      k8s_namespace: "agents",
    };

    expect(bodyOf(image).source_config).toEqual({
      integration_id: null,
      repo_url: null,
      custom_url: null,
      resource_spec: {},
      listener_id: "l-1",
      listener_config: { k8s_namespace: "agents" },
    });
  });

  test("has no image if this comes after it", () => {
    const image = { image_uri: "image:1" };
    const sent = (image_uri: string | null) => ({ source_revision_config: { image_uri } });

    expect(bodyOf({ ...image, source: "internal_docker" })).toMatchObject(sent(null));
    expect(bodyOf({ ...image, source: "external_docker" })).toMatchObject(sent("image:1"));
  });
});

test.each<[string, Texts, unknown]>([
  ["any type", { deployment_type: "turbo" }, []],
  [
    "secrets with reserved names",
    { secrets: "REDIS_URI=1\nOPENAI_API_KEY=abcd\nLOG_JSON=true" },
    [...about("secrets", /^contains REDIS_URI,.* sets itself$/), ...about("secrets", /^contains LOG_JSON,/)],
  ],
  ["secrets whose names only the cloud reserves", { secrets: "PORT=1\nLANGSMITH_API_KEY=abcd" }, []],
  ["a listener", { listener_id: "l" }, []],
  ["a namespace of a listener", { listener_id: "l", k8s_namespace: "agents" }, []],
  [
    "a namespace alone",
    { k8s_namespace: "agents" },
    about("k8s_namespace", /^needs listener_id, the listener/),
  ],
  ["a namespace for an upload", { source_path: ".", k8s_namespace: "agents" }, []],
])("the rules judge %s", (_what, inputs, expected) => {
  expect(problems(inputs)).toEqual(expected);
});

test("the cloud reserves more names of secrets", () => {
  expect(problems({ secrets: "PORT=1\nPATH_1=/bin\nPATH=/bin" }, byName, langsmithCloud)).toEqual([
    ...about("secrets", /^contains PORT,/),
    ...about("secrets", /^contains PATH,/),
  ]);
});

test("the standard platform has none of these rules, but no listeners", () => {
  const target = { kind: "name", name: "An Agent with a very long name" } as const;

  expect(planned({ secrets: "PATH=/bin\nLOG_JSON=true" }, { target }).problems).toEqual([]);
  expect(planned({ listener_id: "l" }).problems).toEqual(about("listener_id", /not supported/));
  expect(planned({ k8s_namespace: "n" }).problems).toEqual(about("k8s_namespace", /not supported/));
});

describe("an update", () => {
  /** A deployment that shows what was given, except for these fields; `null`: not shown. */
  function shown(other: Readonly<Record<string, string | null>> = {}): Deployment {
    const { source, ...sourceConfig } = { ...given, ...other };
    return deploymentOf({ source, source_config: sourceConfig });
  }

  function problemsOf(inputs: Texts, deployment: Deployment, platform = langsmith): string[] {
    const { desired } = planned(inputs, { platform }).plan;
    const sentence = ({ input, problem }: InputProblem) => `${input} ${rawText(problem)}`;
    return platform.findUpdateProblems(desired, deployment).map(sentence);
  }

  const refused = (input: string, current: string) =>
    `${input} can't be used, because the deployment's ${input} is ${current} and can't change once the deployment exists`;

  test.each<[string, string]>([
    ["source", "internal_source"],
    ["integration_id", "i-2"],
    ["deployment_type", "dev"],
    ["deployment_type", "serverless"],
  ])("that changes %s, which is %s, is refused", (input, current) => {
    const deployment = shown({ [input]: current });

    expect(problemsOf(given, deployment)).toEqual([refused(input, current)]);
    expect(problemsOf(given, deployment, standard)).toEqual(
      input === "source" ? [refused(input, current)] : [],
    );
  });

  test("that names a namespace like a type is refused like any other", () => {
    const image = { source: "external_docker", image_uri: "image:1", listener_id: "l-1" };
    const source_config = { listener_id: "l-1", listener_config: { k8s_namespace: "prod" } };
    const deployment = deploymentOf({ source: "external_docker", source_config });

    expect(problemsOf({ ...image, k8s_namespace: "prod" }, deployment)).toEqual([]);
    expect(problemsOf({ ...image, k8s_namespace: "dedicated" }, deployment)).toEqual([
      refused("k8s_namespace", "prod"),
    ]);
  });

  test("that changes several fixed values is refused with all of them", () => {
    const deployment = shown({ source: "internal_source", deployment_type: "dev" });

    expect(problemsOf(given, deployment)).toEqual([
      refused("source", "internal_source"),
      refused("deployment_type", "dev"),
    ]);
  });

  test.each<[string, Texts, Deployment]>([
    ["the same values", given, shown()],
    ["an ID in another case", given, shown({ integration_id: "I-1" })],
    ["no fixed value", { repo_ref: "main" }, shown()],
    ["the word for people", { deployment_type: "dedicated" }, shown()],
    ["the word on the wire", { deployment_type: "dev_zero" }, shown({ deployment_type: "serverless" })],
    [
      "values that the platform does not show",
      given,
      shown({ source: null, integration_id: null, repo_url: null, deployment_type: null }),
    ],
    ["another upload", { source_path: "." }, shown({ source: "internal_source" })],
    ["another image", { image_uri: "image:2" }, shown({ source: "external_docker" })],
    ["a ref, of an unknown source", { repo_ref: "main" }, shown({ source: "future_source" })],
  ])("with %s is allowed", (_what, inputs, deployment) => {
    expect(problemsOf(inputs, deployment)).toEqual([]);
  });

  test.each<[string, Texts, string, string]>([
    ["a ref for an upload", { repo_ref: "main" }, "internal_source", "source_path is required"],
    ["a ref for an image", { repo_ref: "main" }, "external_docker", "image_uri is required"],
    ["the default ref for an image", {}, "internal_docker", "image_uri is required"],
    ["an image for a repository", { image_uri: "image:1" }, "github", "image_uri can't be used"],
    ["an image for an upload", { image_uri: "image:1" }, "internal_source", "image_uri can't be used"],
    [
      "an image with a ref for a repository",
      { image_uri: "image:1", repo_ref: "main" },
      "github",
      "image_uri can't be used",
    ],
    [
      "an image of another registry",
      { source: "external_docker", image_uri: "image:1" },
      "internal_docker",
      "source can't be used",
    ],
  ])("that sends %s is refused on both platforms", (_what, inputs, source, problem) => {
    for (const platform of [langsmith, standard]) {
      expect(problemsOf(inputs, shown({ source }), platform)).toEqual([
        expect.stringContaining(`${problem}, because the deployment's source is ${source} `),
      ]);
    }
  });

  test.each(["github", "internal_docker"])("of source %s that sends an upload is refused", (source) => {
    expect(problemsOf({ source_path: "." }, shown({ source }))).toEqual([
      expect.stringContaining(`source_path can't be used, because the deployment's source is ${source} `),
    ]);
  });
});

describe("a create", () => {
  const image: Texts = { source: "external_docker", image_uri: "image:1" };
  const warningOf = (name: string, platform: Platform, inputs: Texts = {}) => {
    const { create } = planned(inputs, { target: { kind: "name", name }, platform });
    const warning = platform.createWarning(name, create);
    return warning && rawText(warning);
  };
  const [longest, tooLong] = ["a".repeat(21), "a".repeat(22)];

  test.each<[string, Platform, Texts]>([
    ["on a host of one's own", langsmith, {}],
    ["with an image that the cloud controls", langsmithCloud, image],
  ])("%s warns of a name of 22 characters, and not of one of 21", (_what, platform, inputs) => {
    expect(warningOf(tooLong, platform, inputs)).toMatch(
      new RegExp(`^The name ${tooLong} has 22 characters.* longer than 21, but never reports it as ready`),
    );
    expect(warningOf(longest, platform, inputs)).toBeUndefined();
  });

  test("warns of no long name on the cloud, nor on the standard platform", () => {
    expect(warningOf(tooLong, langsmithCloud)).toBeUndefined();
    expect(warningOf(tooLong, standard)).toBeUndefined();
  });
});

test.each([
  [400, "Scale to zero deployments are not supported in AWS environments", true],
  [400, "Reserved name", false],
  [500, "Scale to zero deployments are not supported in AWS environments", false],
])("whether %d with the words %j refuses a type that sleeps: %p", (status, words, refuses) => {
  const failure = { kind: "response", status, isFromApi: true, retryAfterMs: 0 } as const;
  const error = new RequestError(text`It failed: ${quote(words)}.`, failure, { hint: text`Try again.` });

  expect(langsmith.fallbackType(error)?.type).toBe(refuses ? "dev" : undefined);
});

describe("a command of the build", () => {
  const planCommands = (inputs: Texts) => planned({ source_path: ".", ...inputs }, { platform: langsmith });

  test.each<[string, string]>([
    ["npm ci | tee log", "|"],
    ["npm ci; npm test", ";"],
    ["npm ci > log", ">"],
    ["npm ci < in", "<"],
    ['echo "x"', '"'],
    ["npm ci & npm test", "&"],
    ["npm ci &", "&"],
    ["make `uname`", "`"],
    ["make $TARGET", "$"],
    ["make \\all", "\\"],
    ["make\tall", "a tab or a line end"],
    ["make a\nmake b", "a tab or a line end"],
    ["make a\r\nmake b", "a tab or a line end"],
  ])("must not be %j", (command, found) => {
    for (const name of ["install_command", "build_command"]) {
      expect(planCommands({ [name]: command }).problems).toEqual([
        { input: name, problem: expect.stringContaining(`contains ${found}, which`) },
      ]);
    }
  });

  test.each([
    "npm ci --omit=dev",
    "pnpm i --filter './agents/*'",
    "npm run build && npm run lint",
    " make all\n",
  ])("may be %j", (command) => {
    const { plan, problems } = planCommands({ install_command: command, build_command: command });

    expect(problems).toEqual([]);
    expect(plan.desired.upload).toMatchObject({
      installCommand: command.trim(),
      buildCommand: command.trim(),
    });
  });
});
