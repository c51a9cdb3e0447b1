import type { Context } from "../context.ts";
import { type RecordSettings, recordTask } from "../github/deployment-records.ts";
import { GitHubClient } from "../github/github-client.ts";
import { nameOrIdOf, type Target } from "../platform/target.ts";
import { inputName, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Returns the client for a run; undefined without a token or outside of a workflow. */
export function connectGitHub(reader: InputReader, context: Context): GitHubClient | undefined {
  const token = reader.optional("github_token");
  if (token === undefined || context.workflow.repository === "") return undefined;
  return new GitHubClient(token, reader.requestTimeoutMs(), context);
}

/** Returns where a deploy or rollback is recorded on GitHub; undefined if no record is wanted. */
export function readRecordInputs(reader: InputReader, target: Target): RecordSettings | undefined {
  const environment = reader.optional("environment");
  const production = reader.boolean("production_environment");
  if (environment === undefined) return undefined;
  warnWithoutToken(reader);
  return {
    environment,
    task: recordTask("deploy", nameOrIdOf(target)),
    isProduction: production ?? environment.toLowerCase().startsWith("prod"),
  };
}

export function warnWithoutToken(reader: InputReader): void {
  if (reader.optional("github_token") !== undefined) return;
  const token = inputName("github_token");
  reader.addNote(
    "warning",
    text`${token} is empty: this run writes nothing to GitHub, such as a record, and checks nothing there. With act, this is expected. Otherwise, leave out ${token} to use the job's token, or check the secret that it refers to.`,
  );
}
