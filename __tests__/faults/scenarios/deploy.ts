import * as v from "valibot";
import type { FaultRule } from "../../../emulator/index.ts";
import { DeploymentSchema } from "../../../src/platform/schemas.ts";
import {
  create,
  findToCreate,
  findToUpdate,
  locate,
  named,
  newer,
  poll,
  read,
  search,
  searchList,
  update,
  updateWithoutProof,
} from "../expectations.ts";
import type { Fault } from "../faults.ts";
import type { ProxiedRequest } from "../faulty-proxy.ts";
import { platform, type Scenario, type Setup } from "../scenario.ts";

const { list, deployment, revisions, revision } = platform;
const deploy = { action: "deploy", usual: "deployed" } as const;

const withNothing = async () => ({});
const withDeployment = async ({ existing }: Setup) => {
  await existing("agent");
  return {};
};

const lostCreate = { kind: "reset", match: { method: "POST" }, applied: true } as const;
const updateWithoutBody = { kind: "answer", match: { method: "PATCH" }, applied: true, status: 200 } as const;
const takenTwice = { kind: "answer", match: { method: "POST", times: 2 }, status: 409 } as const;
const foreignAfterwards = { kind: "concurrent_revision", when: "after" } as const;

/** A request for another revision than the one that the response of the update named. */
function ofOtherRevision(request: ProxiedRequest, before: readonly ProxiedRequest[]): boolean {
  const response = before.findLast(({ method }) => method === "PATCH")?.response;
  const shown = v.safeParse(v.pipe(v.string(), v.parseJson(), DeploymentSchema), response?.text);
  if (!revision.route(request, before) || !shown.success) return false;
  return !request.path.endsWith(`/${shown.output.latest_revision_id}`);
}

/** The action deploy, with each of the requests that it may need. */
export const deployScenarios: readonly Scenario[] = [
  {
    ...deploy,
    name: "create",
    setUp: withNothing,
    targets: [
      { ...list, name: "list", expected: findToCreate, optionalId: true },
      { ...platform.create, name: "POST", expected: create, thorough: true },
      { ...revision, name: "revision", expected: poll },
      { ...deployment, name: "deployment at the end", expected: poll },
    ],
  },
  {
    ...deploy,
    name: "update by name",
    setUp: withDeployment,
    targets: [
      { ...list, name: "list", expected: findToUpdate },
      { ...deployment, name: "deployment", expected: locate },
      { ...revisions, name: "revisions before", expected: read },
      { ...platform.update, name: "PATCH", expected: update },
      { ...revision, name: "revision that the response named", expected: named },
      { ...revision, name: "revision", expected: poll, from: 2 },
      { ...deployment, name: "deployment at the end", expected: poll, from: 2 },
    ],
  },
  {
    ...deploy,
    name: "update by id",
    setUp: async ({ existing }) => ({ inputs: { deployment_id: (await existing("agent")).id } }),
    targets: [{ ...deployment, name: "deployment", expected: read }],
  },
  {
    ...deploy,
    name: "update whose response has no body",
    emulator: { faults: [updateWithoutBody] },
    setUp: withDeployment,
    targets: [{ ...revisions, name: "revisions after", expected: search, from: 2 }],
  },
  {
    ...deploy,
    name: "create with a lost response",
    emulator: { faults: [lostCreate] },
    setUp: withNothing,
    targets: [
      { ...list, name: "list afterwards", expected: searchList, from: 2 },
      { ...deployment, name: "deployment afterwards", expected: search },
      { ...revisions, name: "revisions afterwards", expected: search },
    ],
  },
  {
    ...deploy,
    name: "create answered with 409",
    emulator: { faults: [takenTwice] },
    setUp: withNothing,
    targets: [
      // After a 409 something has the name, so "no list" can't mean "not found".
      { ...list, name: "list while waiting", expected: read, from: 2, optionalId: true },
      { ...platform.create, name: "POST after waiting", expected: create, from: 3 },
    ],
  },
  {
    ...deploy,
    name: "update of a name that is being deleted",
    emulator: { faults: [{ kind: "slow_delete", seconds: 10 }] },
    setUp: async ({ existing, request }) => {
      const { id } = await existing("agent");
      await request(`DELETE /v2/deployments/${id}`);
      return {};
    },
    targets: [{ ...deployment, name: "deployment while waiting", expected: locate, from: 2 }],
  },
  {
    ...deploy,
    name: "update with a newer revision after it",
    emulator: { faults: [foreignAfterwards] },
    otherRevisions: 1,
    setUp: withDeployment,
    targets: [{ ...revision, name: "the newer revision", expected: newer, route: ofOtherRevision }],
  },
];

/** Somebody else's revision is not in the first list, and nothing shows what revisions deploy. */
const hiddenSources: readonly FaultRule[] = [
  { kind: "hide", fields: ["source_revision_config"] },
  {
    kind: "hide",
    match: { method: "GET", path: "^/v2/deployments/[^/]+$" },
    fields: ["latest_revision_id", "active_revision_id"],
  },
  { kind: "hide_new", where: ["revisions"], reads: 1 },
];

async function withForeignRevision({ existing, emulator }: Setup) {
  const { id } = await existing("agent");
  const foreignRevision = emulator.addConcurrentRevision(id).id;
  return { inputs: { deployment_id: id }, foreignRevision };
}

/** After a 2xx with JSON or without a body, the oldest new revision counts, whoever made it. */
function isAccepted({ category, name }: Fault): boolean {
  return category === "invalid" && name !== "HTML with 200";
}

/** Updates during which somebody else's revision appears, on a platform that does not show what revisions deploy. */
export const hiddenSourceScenarios: readonly Scenario[] = [
  {
    ...deploy,
    name: "update beside a foreign revision of unknown source",
    emulator: { faults: hiddenSources },
    setUp: withForeignRevision,
    targets: [{ ...platform.update, name: "PATCH", expected: updateWithoutProof, omits: isAccepted }],
  },
  {
    ...deploy,
    name: "update with a lost response beside a foreign revision of unknown source",
    usual: "failed",
    emulator: {
      faults: [...hiddenSources, { kind: "reset", match: { method: "PATCH" }, applied: true }],
    },
    setUp: withForeignRevision,
    targets: [{ ...revisions, name: "revisions afterwards", expected: search, from: 2 }],
  },
];
