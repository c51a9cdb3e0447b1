import { UnlistedNameError } from "../deployment/errors.ts";
import { type Located, locate, warnOfNoList } from "../deployment/locate.ts";
import { expectedRepository } from "../deployment/plan.ts";
import { twinsOf } from "../deployment/twins.ts";
import { makeInactive, type OwnRecord } from "../github/records.ts";
import type { Target } from "../inputs/target.ts";
import { runUrl } from "../inputs/workflow-run.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Ending } from "../progress/ending.ts";
import { noteTarget } from "./note-target.ts";
import { type Preview, recordSubject, tellComment } from "./preview-subject.ts";
import { readRecords } from "./recording.ts";
import { planeToRemove, removeAndTell, removeTracked } from "./removal.ts";

/** Deletes the preview of a pull request that is closed or lost its label. That there is none is fine. */
export async function deletePreview(preview: Preview, why: string): Promise<Ending> {
  const { inputs, github, progress, context } = preview;
  noteTarget({ kind: "name", name: inputs.name }, progress);
  context.log.info(`Deleting the preview ${inputs.name}: ${why}.`);
  const records = await readRecords(recordSubject(preview), github);
  const plane = planeToRemove(inputs.controlPlane, context);
  const located = await locatePreview(preview, records?.[0]?.payload.deployment_id, plane);
  if (located.kind === "missing" && !located.listed) {
    // The records alone tell then that there is no preview.
    if (records === undefined) throw new UnlistedNameError(inputs.name);
    warnOfNoList(inputs.name, context.log);
  }
  const id = located.kind === "found" ? located.deployment.id : undefined;
  if (inputs.dryRun) {
    const message = `This run would delete ${id ?? "nothing"}; nothing was sent, because dry_run is true.`;
    return { outcome: "planned", message };
  }
  if (github) tellComment(preview, github);
  const ending = await remove(preview, id, plane);
  await retire(preview, records);
  return ending;
}

async function retire({ github, run }: Preview, records: readonly OwnRecord[] = []): Promise<void> {
  const why = { logUrl: runUrl(run), description: "The preview was deleted" };
  await github?.tolerate(() => makeInactive(github, records, why));
}

/** The same if it isn't wanted any more, for a run that wrote nothing yet. Undefined where it stays. */
export async function deletePreviewIfUnwanted(preview: Preview): Promise<Ending | undefined> {
  const why = await reasonUnwanted(preview);
  return why === undefined ? undefined : await deletePreview(preview, why);
}

/** Why the preview isn't wanted any more: its pull request was closed, or lost its label, meanwhile. */
async function reasonUnwanted(preview: Preview): Promise<string | undefined> {
  const { github, inputs, pullRequest } = preview;
  const state = await github?.tolerate(() => github.repository.pullRequest(pullRequest.number));
  if (state === undefined) return undefined;
  if (!state.open) return "the pull request was closed meanwhile";
  const wanted = inputs.label === undefined || state.labels.includes(inputs.label);
  return wanted ? undefined : `the pull request lost its label ${inputs.label} meanwhile`;
}

/** Deletes what this run wrote if the preview isn't wanted any more (contract, 4). Undefined where it stays. */
export async function deleteIfUnwanted(preview: Preview): Promise<Ending | undefined> {
  const { inputs, progress, context } = preview;
  const why = await reasonUnwanted(preview);
  if (why === undefined) return undefined;
  const plane = planeToRemove(inputs.controlPlane, context);
  const id = progress.facts.deploymentId ?? (await idByName(preview, plane));
  // What was sent without being seen may still appear: then it isn't for this run to say that nothing is left.
  if (id === undefined && progress.facts.writtenAt !== undefined) return undefined;
  context.log.notice(`Deleting what was made: ${why}.`);
  const ending = await remove(preview, id, plane);
  // With a revision there is a record of this run, which ends with it and makes the others inactive.
  if (progress.facts.revisionId === undefined)
    await retire(preview, await readRecords(recordSubject(preview), preview.github));
  return ending;
}

async function idByName(preview: Preview, plane: ControlPlane): Promise<string | undefined> {
  const located = await locatePreview(preview, undefined, plane);
  return located.kind === "found" ? located.deployment.id : undefined;
}

/** The preview's deployment: what an earlier run recorded, or else what goes by its name. */
function locatePreview(
  { inputs, run }: Preview,
  recordedId: string | undefined,
  plane: ControlPlane,
): Promise<Located> {
  const target: Target = { kind: "name", name: inputs.name, recordedId };
  return locate({ target, repoUrl: expectedRepository(inputs, run) }, plane);
}

/** Deletes the preview, and what else goes by its name: two runs at once may have made one each. */
async function remove(preview: Preview, id: string | undefined, plane: ControlPlane): Promise<Ending> {
  const { inputs, run, progress, context } = preview;
  const ending = await removeAndTell(id, plane, progress, context);
  const sought = { name: inputs.name, repoUrl: expectedRepository(inputs, run) };
  for (const twin of id === undefined ? [] : await twinsOf(id, sought, plane)) {
    context.log.notice(`Deployment ${twin.id} goes by the name ${inputs.name} too: deleting it as well.`);
    await removeTracked({ id: twin.id, title: twin.id }, plane, progress, context);
  }
  return ending;
}
