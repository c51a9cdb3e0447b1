import { desiredOnCreate } from "../../../../src/deploy/plan/desired-on-create.ts";
import { type DeployPlan, makePlan } from "../../../../src/deploy/plan/plan.ts";
import type { InputProblem } from "../../../../src/input-problem.ts";
import { InputReader } from "../../../../src/inputs/reader.ts";
import type { DesiredDeployment } from "../../../../src/platform/desired-deployment.ts";
import { createLangsmith } from "../../../../src/platform/langsmith.ts";
import type { Platform } from "../../../../src/platform/platform.ts";
import { standard } from "../../../../src/platform/standard.ts";
import type { Target } from "../../../../src/platform/target.ts";
import { type Message, rawText } from "../../../../src/text/message.ts";
import type { WorkflowRun } from "../../../../src/workflow-run.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { readDeploy } from "../../inputs/support/reading.ts";
import { deploymentId } from "../../support/wire.ts";

export { standard };
/** A self-hosted installation. */
export const langsmith = createLangsmith(false);
export const langsmithCloud = createLangsmith(true);

/** Inputs, or variables of the environment. */
export type Texts = Readonly<Record<string, string>>;

export const byName: Target = { kind: "name", name: "agent" };
export const byId: Target = { kind: "id", id: deploymentId("id-1") };
/** What a create from a repository needs beside its name. */
export const fromGitHub: Texts = { integration_id: "i-1", app_config_path: "app.json" };
/** Inputs of a deployment from a repository, as it may show them. */
export const given: Texts = {
  source: "github",
  integration_id: "i-1",
  repo_url: "https://github.com/a/b",
  deployment_type: "prod",
  repo_ref: "main",
};
export const onMain: Texts = { GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_REF: "refs/heads/main" };

interface Circumstances {
  readonly target?: Target;
  readonly env?: Texts;
  readonly pullRequestEvent?: WorkflowRun["pullRequestEvent"];
  readonly platform?: Platform;
}

interface Planned {
  readonly plan: DeployPlan;
  /** What a create sends. */
  readonly create: DesiredDeployment;
  readonly problems: readonly { readonly input: string; readonly problem: string }[];
  /** The hints of the problems, in their order. */
  readonly hints: readonly string[];
  readonly notices: readonly string[];
}

/** The plan for these inputs, by default on the standard platform, for a push to `main`; messages as raw text. */
export function planned(
  inputs: Texts,
  { target = byName, env = onMain, pullRequestEvent, platform = standard }: Circumstances = {},
): Planned {
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { given, settings } = readDeploy(new InputReader(Object.fromEntries(variables)), platform);
  const workflow = { ...recordingContext(env).workflow, pullRequestEvent };
  const reader = new RecordingReader({});
  const { problems, notices } = reader;
  const plan = makePlan(reader, target, given, platform, workflow);
  return {
    plan,
    create: desiredOnCreate({ plan, settings, workflow }),
    problems: problems.map(({ input, problem }) => ({ input, problem: rawText(problem) })),
    hints: problems.flatMap(({ hint }) => (hint === undefined ? [] : [rawText(hint)])),
    notices: notices.map(rawText),
  };
}

/** Keeps what a plan adds to the problems and notices of its inputs. */
class RecordingReader extends InputReader {
  readonly problems: InputProblem[] = [];
  readonly notices: Message[] = [];

  override addProblem(problem: InputProblem): void {
    this.problems.push(problem);
  }

  override addNote(kind: "notice" | "warning", notice: Message): void {
    if (kind === "notice") this.notices.push(notice);
  }
}
