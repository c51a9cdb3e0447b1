import type { Context } from "./context.ts";
import type { DeploymentPlan } from "./deployment/plan.ts";
import type { AppliedRevision } from "./deployment/written.ts";
import type { DeployInputs } from "./inputs/deploy.ts";
import type { WorkflowRun } from "./inputs/workflow-run.ts";
import type { ControlPlane } from "./platform/control-plane.ts";
import type { Ending } from "./progress/ending.ts";
import type { Progress } from "./progress/progress.ts";

/** A deployment to carry out, planned and with all that it takes. */
export interface DeploymentRun {
  readonly plan: DeploymentPlan;
  readonly inputs: DeployInputs;
  readonly run: WorkflowRun;
  readonly plane: ControlPlane;
  readonly progress: Progress;
  readonly context: Context;
  /**
   * No request of `plane` is repeated after this, and no name waited for that is taken; milliseconds since the epoch.
   */
  readonly until: number;
  /** A revision that an earlier attempt or step of this run started, to be watched instead of making another. */
  readonly resumed?: AppliedRevision | undefined;
  /** Whether a deployment that this run makes goes again where another run made an older one at the same time. */
  readonly yieldsToOlder?: boolean;
  /** Asked right after the write, and again at the end of a watch: an ending that takes the place of the run's own. */
  readonly overtaken?: () => Promise<Ending | undefined>;
}
