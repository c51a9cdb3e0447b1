import { expect, test } from "@jest/globals";
import { requestDigest } from "../../../src/deployment/request-digest.ts";
import { redactorFor } from "../../../src/inputs/masks.ts";
import { defaultCreate } from "../../support/scenario.ts";

type Plan = Parameters<typeof requestDigest>[0];
type Settings = Parameters<typeof requestDigest>[1];

const secrets = [{ name: "MODEL_KEY", value: "hunter2" }];
const plan: Plan = {
  target: { kind: "name", name: "agent" },
  create: { ...defaultCreate, secrets },
  update: { source_revision_config: { repo_ref: "main" }, secrets },
};
const settings: Settings = {
  headers: { "x-api-key": "key-1", "x-tenant-id": "workspace-1" },
};

function withSpec(spec: Record<string, unknown>): Plan {
  return { ...plan, update: { ...plan.update, source_config: { resource_spec: spec } } };
}

test("what is the same has the same digest, whatever the order of an object's fields", () => {
  const one = requestDigest(withSpec({ cpu: 1, more: { a: [1, 2], b: null } }), settings);
  const other = requestDigest(withSpec({ more: { b: null, a: [1, 2] }, cpu: 1 }), settings);
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(other).toBe(one);
});

test("where the deployment was recorded is no part of it: an earlier attempt didn't know", () => {
  const target = { kind: "name", name: "agent", recordedId: "12" } as const;
  expect(requestDigest({ ...plan, target }, settings)).toBe(requestDigest(plan, settings));
});

test.each<[string, Plan]>([
  ["a secret's value", { ...plan, update: { ...plan.update, secrets: [{ name: "MODEL_KEY", value: "x" }] } }],
  ["a field", { ...plan, update: { ...plan.update, source_config: { custom_url: "https://a.example" } } }],
  ["a field of the create alone", { ...plan, create: { ...defaultCreate, source: "image", secrets } }],
  ["no create", { ...plan, create: undefined }],
  ["the name", { ...plan, target: { kind: "name", name: "other" } }],
])("%s makes another", (_what, other) => {
  expect(requestDigest(other, settings)).not.toBe(requestDigest(plan, settings));
});

test("the order of a list makes another", () => {
  const digests = [
    [1, 2],
    [2, 1],
  ].map((list) => requestDigest(withSpec({ list }), settings));
  expect(new Set(digests).size).toBe(2);
});

test.each<[string, Partial<Settings>]>([
  ["workspace", { headers: { ...settings.headers, "x-tenant-id": "workspace-2" } }],
  [
    "key, without which nobody can try what it is of",
    { headers: { ...settings.headers, "x-api-key": "key-2" } },
  ],
])("so does another %s", (_what, other) => {
  expect(requestDigest(plan, { ...settings, ...other })).not.toBe(requestDigest(plan, settings));
});

test("the redactor leaves it as it is, also where a short secret stands in it by chance", () => {
  const digest = requestDigest(plan, settings);
  const env = { INPUT_API_KEY: "key-1", INPUT_SECRETS: `SHORT=${digest.slice(3, 9)}` };
  expect(redactorFor(env).value(digest)).toBe(digest);
  expect(redactorFor(env).words(digest)).not.toBe(digest);
});
