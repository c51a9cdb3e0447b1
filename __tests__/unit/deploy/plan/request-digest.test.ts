import { expect, test } from "@jest/globals";
import { requestDigest } from "../../../../src/deploy/plan/request-digest.ts";
import { maskSecretInputs } from "../../../../src/inputs/masks.ts";
import type { ControlPlaneSettings } from "../../../../src/platform/control-plane-settings.ts";
import { controlPlane } from "../../inputs/support/control-plane.ts";
import { byName, langsmith, planned, standard, type Texts } from "../support/planned.ts";

const given: Texts = { secrets: "MODEL_KEY=hunter2" };
const settings = { ...controlPlane, apiKey: "key-1", workspaceId: "workspace-1" };
const { plan } = planned(given);

function digestOf(inputs: Texts, platform = standard, target = byName): string {
  const other = planned({ ...given, ...inputs }, { platform, target }).plan;
  return requestDigest({ plan: other, settings: { ...settings, platform } });
}

test("the digest of equal requests is the same, whatever the order of an object's fields", () => {
  const one = digestOf({ resource_spec: '{"cpu":1,"more":{"a":[1,2],"b":null}}' });
  const other = digestOf({ resource_spec: '{"more":{"b":null,"a":[1,2]},"cpu":1}' });

  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(other).toBe(one);
});

test("the digest does not depend on the order of the secrets, or on which variables are secret", () => {
  const one = digestOf({ secrets: "MODEL_KEY=hunter2\nA_KEY=hunter3" });

  expect(digestOf({ secrets: "A_KEY=hunter3\nMODEL_KEY=hunter2" })).toBe(one);
  expect(digestOf({ env_vars: "A_KEY=hunter3" })).toBe(one);
});

test.each<[string, Texts]>([
  ["a secret's value", { secrets: "MODEL_KEY=x" }],
  ["whether there are secrets", { secrets: "" }],
  ["a field", { custom_url: "https://a.example" }],
  ["whether a field is a default, which an update does not send", { deployment_type: "dev" }],
])("the digest depends on %s", (_what, inputs) => {
  expect(digestOf(inputs)).not.toBe(requestDigest({ plan, settings }));
});

test("the digest depends on the name", () => {
  expect(digestOf({}, standard, { kind: "name", name: "other" })).not.toBe(digestOf({}));
});

test("the digest depends on the command of a build, which only an update sends", () => {
  const upload = (build_command: string) => digestOf({ source_path: ".", build_command }, langsmith);

  expect(upload("make")).not.toBe(upload("make all"));
});

test.each<[string, Partial<ControlPlaneSettings>]>([
  ["the workspace", { workspaceId: "workspace-2" }],
  ["the key, which keeps others from guessing a secret", { apiKey: "key-2" }],
])("the digest depends on %s", (_what, other) => {
  expect(requestDigest({ plan, settings: { ...settings, ...other } })).not.toBe(
    requestDigest({ plan, settings }),
  );
});

test("the digest depends on the order of a list", () => {
  const ordered = digestOf({ resource_spec: '{"list":[1,2]}' });

  expect(digestOf({ resource_spec: '{"list":[2,1]}' })).not.toBe(ordered);
});

test("the digest is not redacted as a value, even if it contains a short secret by chance", () => {
  const digest = requestDigest({ plan, settings });
  const env = { INPUT_API_KEY: "key-1", INPUT_SECRETS: `SHORT=${digest.slice(3, 9)}` };
  const redact = maskSecretInputs(env, { mask: () => {} });

  expect(redact.redactIdentifier(digest)).toBe(digest);
  expect(redact.redactText(digest)).not.toBe(digest);
});
