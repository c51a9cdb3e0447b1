import * as v from "valibot";
import {
  type Deployment,
  type Revision,
  toDeployment,
  toRevision,
} from "../../../src/platform/deployment.ts";
import { DeploymentIdSchema, RevisionIdSchema } from "../../../src/platform/ids.ts";
import { DeploymentSchema, RevisionSchema } from "../../../src/platform/schemas.ts";

export const deploymentId = (raw: string) => v.parse(DeploymentIdSchema, raw);
export const revisionId = (raw: string) => v.parse(RevisionIdSchema, raw);

/** The deployment of a response that shows these fields. */
export function deploymentOf(wire: object): Deployment {
  return toDeployment(v.parse(DeploymentSchema, { id: "d", ...wire }), false);
}

/** The revision of a response that shows these fields. */
export function revisionOf(wire: object): Revision {
  return toRevision(v.parse(RevisionSchema, { id: "r", status: "QUEUED", ...wire }));
}
