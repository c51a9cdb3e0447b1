import { expect, test } from "@jest/globals";
import { requestDigest } from "../../../../src/deploy/plan/request-digest.ts";
import { redactorFor } from "../../../../src/inputs/masks.ts";
import { defaultCreate } from "../../../support/scenario.ts";

type Plan = Parameters<typeof requestDigest>[0];
type Settings = Parameters<typeof requestDigest>[1];

const secrets = [{ name: "MODEL_KEY", value: "hunter2" }];
const plan: Plan = {
  create: { ...defaultCreate, secrets },
  update: { source_revision_config: { repo_ref: "main" }, secrets },
};
const settings: Settings = { apiKey: "key-1", workspaceId: "workspace-1" };

function withSpec(spec: Record<string, unknown>): Plan {
  return { ...plan, update: { ...plan.update, source_config: { resource_spec: spec } } };
}

function withUpdate(update: Partial<Plan["update"]>): Plan {
  return { ...plan, update: { ...plan.update, ...update } };
}

test("the digest of equal requests is the same, whatever the order of an object's fields", () => {
  const one = requestDigest(withSpec({ cpu: 1, more: { a: [1, 2], b: null } }), settings);
  const other = requestDigest(withSpec({ more: { b: null, a: [1, 2] }, cpu: 1 }), settings);

  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(other).toBe(one);
});

test("the digest does not depend on the order of the secrets", () => {
  const more = { name: "A_KEY", value: "hunter3" };
  const withSecrets = (...entries: typeof secrets): Plan => ({
    ...withUpdate({ secrets: entries }),
    create: { ...defaultCreate, secrets: entries },
  });

  expect(requestDigest(withSecrets(...secrets, more), settings)).toBe(
    requestDigest(withSecrets(more, ...secrets), settings),
  );
});

test.each<[string, Plan, Settings]>([
  ["a secret's value", withUpdate({ secrets: [{ name: "MODEL_KEY", value: "x" }] }), settings],
  ["a field", withUpdate({ source_config: { custom_url: "https://a.example" } }), settings],
  [
    "a field of the create alone",
    { ...plan, create: { ...defaultCreate, source: "image", secrets } },
    settings,
  ],
  ["the name", { ...plan, create: { ...plan.create, name: "other" } }, settings],
  ["whether the update has secrets", withUpdate({ secrets: undefined }), settings],
  ["the workspace", plan, { ...settings, workspaceId: "workspace-2" }],
  ["the key, which keeps others from guessing a secret", plan, { ...settings, apiKey: "key-2" }],
])("the digest depends on %s", (_what, otherPlan, otherSettings) => {
  expect(requestDigest(otherPlan, otherSettings)).not.toBe(requestDigest(plan, settings));
});

test("the digest depends on the order of a list", () => {
  const ordered = requestDigest(withSpec({ list: [1, 2] }), settings);

  expect(requestDigest(withSpec({ list: [2, 1] }), settings)).not.toBe(ordered);
});

test("the digest is not redacted as a value, even if it contains a short secret by chance", () => {
  const digest = requestDigest(plan, settings);
  const redact = redactorFor({ INPUT_API_KEY: "key-1", INPUT_SECRETS: `SHORT=${digest.slice(3, 9)}` });

  expect(redact.forPrograms(digest)).toBe(digest);
  expect(redact.text(digest)).not.toBe(digest);
});
