import * as v from "valibot";
import { type Deployment, DeploymentSchema, toDeployment } from "../../../src/platform/deployment.ts";
import { DeploymentIdSchema, RevisionIdSchema } from "../../../src/platform/ids.ts";
import { type Revision, RevisionSchema } from "../../../src/platform/revision.ts";

export const deploymentId = (raw: string) => v.parse(DeploymentIdSchema, raw);
export const revisionId = (raw: string) => v.parse(RevisionIdSchema, raw);

/** The deployment of a response that shows these fields. */
export function deploymentOf(wire: object): Deployment {
  return toDeployment(v.parse(DeploymentSchema, { id: "d", ...wire }), false);
}

/** The revision of a response that shows these fields. */
export function revisionOf(wire: object): Revision {
  return v.parse(RevisionSchema, { id: "r", status: "QUEUED", ...wire });
}
