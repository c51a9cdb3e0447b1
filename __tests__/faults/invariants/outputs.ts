import * as v from "valibot";
import { DeploymentSchema } from "../../../src/platform/schemas.ts";
import { newDeployments, newRevisions } from "../observation.ts";
import type { Check } from "./check.ts";
import { isDeploymentWrite, isRefusal } from "./writes.ts";

/** What an answer told is in the outputs, however the run went on. */
const outputsAreWritten: Check = (run) => {
  if (run.action === "sweep" || run.action === "usage" || run.action === "oauth-provider") return [];
  const { deployment_id: deploymentId, revision_id: revisionId } = run.outputs;
  return run.platform.filter(isDeploymentWrite).flatMap(({ method, path, answer }) => {
    const told = v.safeParse(
      v.pipe(v.string(), v.parseJson(), DeploymentSchema),
      answer?.real ? answer.text : "",
    );
    const id = method === "PATCH" ? path.split("/").at(-1) : told.success ? told.output.id : undefined;
    const revision = told.success ? told.output.latest_revision_id : undefined;
    return [
      ...(id === undefined || id === deploymentId ? [] : [`deployment_id is ${deploymentId}, not ${id}`]),
      ...(!revision || isRefusal(answer?.status) || revision === revisionId
        ? []
        : [`revision_id is ${revisionId}, not ${revision}`]),
    ];
  });
};

/** `revision_id` is a revision that this run made, and `created` is true only where it made the deployment. */
const outputsAreTrue: Check = (run) => {
  const { revision_id: revisionId, created, deployment_id: deploymentId = "" } = run.outputs;
  const own = [run.ownRevision, ...newRevisions(run).map(({ id }) => id)];
  const gone = run.ending === "deleted";
  return [
    ...(revisionId === undefined || gone || own.includes(revisionId)
      ? []
      : [`revision_id ${revisionId} is not this run's`]),
    ...(created !== "true" || gone || newDeployments(run).includes(deploymentId)
      ? []
      : ["created is true, but nothing was"]),
  ];
};

/** The outputs hold what the platform told, and nothing else. */
export const outputs: readonly Check[] = [outputsAreWritten, outputsAreTrue];
