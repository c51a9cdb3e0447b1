import { join } from "node:path";

/** The event that triggered a run; `payload` is the content of `GITHUB_EVENT_PATH`. */
export interface WorkflowEvent {
  readonly name: string;
  readonly payload: unknown;
}

export const pushEvent: WorkflowEvent = { name: "push", payload: { ref: "refs/heads/main" } };

/** Files and folders of one step. */
export interface StepFiles {
  readonly workspace: string;
  readonly temporary: string;
  readonly home: string;
  readonly event: string;
  readonly commands: Readonly<Record<"output" | "state" | "step_summary" | "env" | "path", string>>;
}

/** Their paths below a folder. Nothing is created. */
export function stepFiles(folder: string): StepFiles {
  const command = (name: string) => join(folder, "file-commands", name);
  return {
    workspace: join(folder, "workspace"),
    temporary: join(folder, "temp"),
    home: join(folder, "home"),
    event: join(folder, "event.json"),
    commands: {
      output: command("output"),
      state: command("state"),
      step_summary: command("step_summary"),
      env: command("env"),
      path: command("path"),
    },
  };
}

function field(value: unknown, ...path: string[]): string | undefined {
  let at = value;
  for (const key of path) {
    at =
      typeof at === "object" && at !== null
        ? Object.entries(at).find(([name]) => name === key)?.[1]
        : undefined;
  }
  return typeof at === "string" || typeof at === "number" ? String(at) : undefined;
}

/** What GitHub derives from the event: for a pull request, the merge ref and both branches. */
function refs(event: WorkflowEvent): Record<string, string> {
  const number = field(event.payload, "pull_request", "number");
  if (number === undefined) {
    return {
      GITHUB_REF: field(event.payload, "ref") ?? "refs/heads/main",
      GITHUB_HEAD_REF: "",
      GITHUB_BASE_REF: "",
    };
  }
  return {
    GITHUB_REF: `refs/pull/${number}/merge`,
    GITHUB_HEAD_REF: field(event.payload, "pull_request", "head", "ref") ?? "",
    GITHUB_BASE_REF: field(event.payload, "pull_request", "base", "ref") ?? "main",
  };
}

/** `GITHUB_REF_NAME` and `GITHUB_REF_TYPE` of a full ref. */
function refNames(ref: string): Record<string, string> {
  const [, kind, name] = /^refs\/(heads|tags|pull)\/(.+)$/su.exec(ref) ?? [];
  return { GITHUB_REF_NAME: name ?? ref, GITHUB_REF_TYPE: kind === "tags" ? "tag" : "branch" };
}

/** Nothing listens there: a test without a GitHub stand-in must not reach GitHub. */
const nowhere = "http://127.0.0.1:1";

/** The variables of every step. `overrides` replace or extend them; the name and type of the ref follow from theirs. */
export function stepEnvironment(
  files: StepFiles,
  event: WorkflowEvent,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  const ref = { ...refs(event), ...overrides };
  return {
    PATH: process.env.PATH ?? "",
    HOME: files.home,
    TMPDIR: files.temporary,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION: "__self",
    GITHUB_ACTOR: "octocat",
    GITHUB_TRIGGERING_ACTOR: "octocat",
    GITHUB_JOB: "deploy",
    GITHUB_WORKFLOW: "Deploy",
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_REPOSITORY_OWNER: "octo-org",
    GITHUB_REPOSITORY_ID: "1296269",
    GITHUB_SHA: "6dcb09b5b57875f334f61aebed695e2e4193db5e",
    GITHUB_RUN_ID: "1658821493",
    GITHUB_RUN_NUMBER: "42",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_API_URL: nowhere,
    GITHUB_GRAPHQL_URL: `${nowhere}/graphql`,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: files.event,
    GITHUB_WORKSPACE: files.workspace,
    RUNNER_OS: "Linux",
    RUNNER_ARCH: "X64",
    RUNNER_NAME: "stand-in",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_TEMP: files.temporary,
    ...Object.fromEntries(
      Object.entries(files.commands).map(([name, path]) => [`GITHUB_${name.toUpperCase()}`, path]),
    ),
    ...refs(event),
    ...refNames(ref.GITHUB_REF ?? ""),
    ...overrides,
  };
}

/**
 * `INPUT_<NAME>`: upper case, spaces as `_`, everything else unchanged:
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/Handlers/Handler.cs
 */
export function inputVariables(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`,
      value,
    ]),
  );
}
