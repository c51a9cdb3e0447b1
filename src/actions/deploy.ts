import { ControlPlane } from "../control-plane/client.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { InputReader } from "../inputs/reader.ts";
import { readWorkflowRun, type WorkflowRun } from "../inputs/workflow-run.ts";
import { type DeploymentPlan, planDeployment, type Target } from "../plan/deployment-plan.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../report/ending.ts";
import { logReporter } from "../report/log.ts";
import { outputsReporter } from "../report/outputs.ts";
import { showableRequest, spellPlan, spellSource } from "../report/plan.ts";
import type { Progress } from "../report/progress.ts";
import { summaryReporter } from "../report/summary.ts";
import { watchRevision } from "../watch/watch.ts";
import { creatable } from "../write/create.ts";
import { locate } from "../write/locate.ts";
import { type WriteTools, writeDeployment } from "../write/write.ts";

/** The root action: create or update a deployment, and wait for this run's revision (contract, 3). */
export async function deploy(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports.env);
  progress.tell(outputsReporter(ports), logReporter(ports), summaryReporter(run, ports));
  const reader = new InputReader(ports.env);
  const inputs = readDeployInputs(reader);
  const plan = planFromInputs(readTarget(reader), inputs, run, reader);
  return await carryOut(plan, inputs, progress, ports);
}

/** The deployment that is meant. Its problems stay in the reader. */
function readTarget(reader: InputReader): Target {
  const id = reader.optional("deployment_id");
  if (id === "." || id === "..") reader.refuse("deployment_id", "can't be . or ..");
  if (id !== undefined) return { kind: "id", id };
  const name = reader.optional("name");
  if (name === undefined) reader.refuse("name", "or deployment_id has to be given");
  return { kind: "name", name: name ?? "" };
}

/** The plan, if nothing is wrong with the inputs. @throws InputErrors with everything that is. */
function planFromInputs(
  target: Target,
  inputs: DeployInputs,
  run: WorkflowRun,
  reader: InputReader,
): DeploymentPlan {
  const { plan, problems } = planDeployment(target, inputs.desired, run);
  for (const { input, problem } of problems) reader.refuse(input, problem);
  reader.finish();
  return plan;
}

async function carryOut(
  plan: DeploymentPlan,
  inputs: DeployInputs,
  progress: Progress,
  ports: Ports,
): Promise<Ending> {
  const { mode } = inputs;
  const until = ports.clock.now() + mode.timeoutMs;
  const plane = new ControlPlane(inputs.controlPlane, ports, { attempts: 5, until });
  announce(plan, inputs, progress, ports);
  if (mode.dryRun) return await describe(plan, plane, progress, ports);
  const tools: WriteTools = { plane, progress, ports, until };
  const written = await writeDeployment(plan, tools);
  await progress.revision(written.revisionId);
  if (!mode.wait)
    return {
      outcome: "started",
      message: `Revision ${written.revisionId} was started; nobody waits for it (wait: false).`,
    };
  return await watchRevision({ written, mode, plane, progress, ports });
}

function announce(plan: DeploymentPlan, inputs: DeployInputs, progress: Progress, ports: Ports): void {
  const { facts } = progress;
  facts.title = plan.target.kind === "id" ? plan.target.id : plan.target.name;
  facts.name = plan.target.kind === "name" ? plan.target.name : undefined;
  facts.source = spellSource(plan);
  ports.log.info(spellPlan(plan));
  for (const name of inputs.desired.secrets.quoted) {
    ports.log.warning(
      `The value of the secret ${name} is wrapped in quotes, which are sent as part of it. Remove them if they aren't meant.`,
    );
  }
}

/** `dry_run`: looks up what would be changed, and shows what would be sent. */
async function describe(
  plan: DeploymentPlan,
  plane: ControlPlane,
  progress: Progress,
  ports: Ports,
): Promise<Ending> {
  const located = await locate(plan, plane, ports);
  const found = located.kind === "found" ? located.deployment : undefined;
  if (found) progress.deployment(found, false);
  const what = found ? `update deployment ${found.id}` : `create deployment ${progress.facts.title}`;
  ports.log.group(`What would be sent to ${what}`);
  for (const line of showableRequest(found ? plan.update : creatable(plan)).split("\n")) ports.log.info(line);
  ports.log.endGroup();
  return { outcome: "planned", message: `This run would ${what}; nothing was sent (dry_run: true).` };
}
