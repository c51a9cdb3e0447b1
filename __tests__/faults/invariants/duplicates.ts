import { newDeployments, newRevisions } from "../observation.ts";
import type { Check } from "./check.ts";
import { isDeploymentWrite, isRedeploy, isRefusal } from "./writes.ts";

/** One deployment and one revision at most, on the platform itself. */
const nothingTwice: Check = (run) => {
  const deployments = newDeployments(run).length;
  const revisions = newRevisions(run).length - run.furtherRevisions;
  return [
    ...(deployments > 1 ? [`${deployments} deployments were made`] : []),
    ...(revisions > 1 ? [`${revisions} revisions were made`] : []),
  ];
};

/** A create or an update is not sent again unless the one before surely didn't happen. */
const noBlindRepeats: Check = (run) => {
  return [isDeploymentWrite, isRedeploy].flatMap((isWrite) => {
    const writes = run.platform.filter(isWrite).filter(({ answer }) => !isRefusal(answer?.status));
    return writes.length > 1 ? [`${writes.length} writes were sent that may each have happened`] : [];
  });
};

/** Nothing is done twice. */
export const duplicates: readonly Check[] = [nothingTwice, noBlindRepeats];
