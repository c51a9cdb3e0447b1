import type { RecordPlace } from "../github/deployment-records.ts";
import { shownNameOf, type Target } from "../inputs/read-control-plane.ts";
import type { RecordInputs } from "../inputs/read-github-inputs.ts";

/** Returns the place of the GitHub record of a deploy or rollback. `sha`: the commit of the checkout or of the run. */
export function deployRecord(
  target: Target,
  { environment, production }: RecordInputs,
  sha: string,
): RecordPlace {
  return {
    ref: sha,
    task: `deploy:${shownNameOf(target)}`,
    environment,
    production,
    transient: false,
    pullRequest: undefined,
  };
}
