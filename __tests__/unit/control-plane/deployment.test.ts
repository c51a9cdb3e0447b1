import { describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { toDeployment, toRevision } from "../../../src/platform/deployment.ts";
import { DeploymentSchema, RevisionSchema } from "../../../src/platform/schemas.ts";

const deployment = (wire: object) => toDeployment(v.parse(DeploymentSchema, { id: "d", ...wire }));
const revision = (wire: object) =>
  toRevision(v.parse(RevisionSchema, { id: "r", status: "QUEUED", ...wire }));

test("of a deployment nothing but its id is needed", () => {
  expect(deployment({})).toEqual({ id: "d" });
});

test("what else it shows is taken", () => {
  const shown = deployment({
    name: "agent",
    status: "READY",
    latest_revision_id: "r2",
    active_revision_id: null,
    url: "https://x.example",
    source_config: { repo_url: "https://github.com/a/b", more: 1 },
    more: {},
  });
  expect(shown).toEqual({
    id: "d",
    name: "agent",
    status: "READY",
    latestRevisionId: "r2",
    activeRevisionId: null,
    url: "https://x.example",
    repoUrl: "https://github.com/a/b",
  });
});

test("what is of another type than expected counts as not shown", () => {
  expect(
    deployment({
      name: 7,
      status: {},
      url: [],
      latest_revision_id: 1,
      active_revision_id: 2,
      source_config: "x",
    }),
  ).toEqual({ id: "d" });
});

test.each([{}, { id: "" }, { id: 7 }, [], null, "d"])("%j is no deployment", (wire) => {
  expect(v.is(DeploymentSchema, wire)).toBe(false);
});

describe("the address", () => {
  test.each<[object, string | undefined]>([
    [{ url: "https://a.example", source_config: { custom_url: "https://b.example" } }, "https://a.example"],
    [{ url: null, source_config: { custom_url: "https://b.example" } }, "https://b.example"],
    [{ source_config: { custom_url: "http://b.example" } }, "http://b.example"],
    [{ url: "javascript:alert(1)", source_config: { custom_url: "https://b.example" } }, "https://b.example"],
    [{ url: "not a URL" }, undefined],
    [{ url: "" }, undefined],
    [{ url: "ftp://a.example" }, undefined],
    [{ source_config: null }, undefined],
    [{}, undefined],
  ])("of %j: %p", (wire, url) => expect(deployment(wire).url).toBe(url));
});

describe("a revision", () => {
  test("needs an id and a status", () => {
    expect(revision({})).toEqual({ id: "r", status: "QUEUED" });
    expect(v.is(RevisionSchema, { id: "r" })).toBe(false);
    expect(v.is(RevisionSchema, { status: "QUEUED" })).toBe(false);
  });

  test("shows what it deploys, null being nothing", () => {
    const source = { repo_ref: "main", app_config_path: null, repo_commit_sha: "abc" };
    expect(revision({ created_at: "2026-03-02T09:00:00Z", source_revision_config: source })).toEqual({
      id: "r",
      status: "QUEUED",
      createdAt: "2026-03-02T09:00:00Z",
      commitSha: "abc",
      source: { repoRef: "main" },
    });
    expect(revision({ source_revision_config: null, created_at: 7 })).toEqual({ id: "r", status: "QUEUED" });
  });
});
