import { describe, expect, test } from "@jest/globals";
import { byId, byName, langsmith, planned, type Texts } from "./support/planned.ts";

function noticesOf(inputs: Texts): readonly string[] {
  return planned(inputs, { platform: langsmith }).notices;
}

describe("a notice says what is sent although the platform may refuse it:", () => {
  test("a type of deployment that is not known", () => {
    expect(noticesOf({ deployment_type: "##[error]turbo" })).toEqual([
      'The deployment_type "## [error]turbo" is not known to this action and is sent as it is. Known types: dev_free, dev, prod, serverless, dedicated.',
    ]);
  });

  test("secrets whose names only the cloud reserves, without their values", () => {
    const secrets = "LANGSMITH_API_KEY=some-value\nOPENAI_API_KEY=other-value\nPORT=8080";

    expect(noticesOf({ secrets })).toEqual([
      "The platform's cloud sets these secrets itself: LANGSMITH_API_KEY, PORT. They are sent, because this control plane is not that cloud.",
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

describe("a warning before the create says that a name is too long for a self-hosted installation", () => {
  const [own, cloud] = ["https://agents.example/api-host", "https://eu.api.host.langchain.com"];
  const image: Texts = { source: "external_docker", image_uri: "image:1" };
  const warningOf = (name: string, url: string, inputs: Texts = {}) =>
    planned(inputs, { target: { kind: "name", name }, platform: langsmith, url }).plan.createWarning;
  const [longest, tooLong] = ["a".repeat(21), "a".repeat(22)];

  test.each<[string, string, Texts]>([
    ["on a host of one's own", own, {}],
    ["with an image that the cloud controls", cloud, image],
  ])("a long name is warned about %s", (_what, url, inputs) => {
    expect(warningOf(tooLong, url, inputs)).toMatch(
      new RegExp(`^The name ${tooLong} has 22 characters.* longer than 21, but never reports it as ready`),
    );
    expect(warningOf(longest, url, inputs)).toBeUndefined();
  });

  test("but not on the cloud, and not if nothing is created", () => {
    expect(warningOf(tooLong, cloud)).toBeUndefined();
    expect(planned({}, { target: byId, platform: langsmith }).plan.createWarning).toBeUndefined();
    expect(planned({}, { target: byName, platform: langsmith }).plan.createWarning).toBeUndefined();
  });
});
