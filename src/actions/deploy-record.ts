import type { RecordPlace } from "../github/deployment-records.ts";
import { shownNameOf, type Target } from "../inputs/control-plane.ts";
import type { RecordInputs } from "../inputs/github.ts";

/** Returns where a deployment that is no preview is recorded on GitHub. `ref`: the commit of the checkout or of the run. */
export function deployRecord(
  target: Target,
  { environment, production }: RecordInputs,
  ref: string,
): RecordPlace {
  return {
    ref,
    task: `deploy:${shownNameOf(target)}`,
    environment,
    production,
    transient: false,
    pullRequest: undefined,
  };
}
