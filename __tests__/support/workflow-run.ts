import { readWorkflowRun, type WorkflowRun } from "../../src/runner/workflow-run.ts";

/** The workflow run that a step with just these variables belongs to. The toolkit reads them from `process.env`. */
export function workflowRunOf(env: Readonly<Record<string, string | undefined>>): WorkflowRun {
  const real = { ...process.env };
  const variables = (from: NodeJS.ProcessEnv) =>
    Object.entries(from).filter(([name]) => /^GITHUB_/.test(name));
  const replace = (values: NodeJS.ProcessEnv) => {
    for (const [name] of variables(process.env)) delete process.env[name];
    for (const [name, value] of variables(values)) if (value !== undefined) process.env[name] = value;
  };
  replace(env);
  try {
    return readWorkflowRun();
  } finally {
    replace(real);
  }
}
