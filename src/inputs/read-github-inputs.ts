import { inputName, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Where `environment` has a deploy or rollback recorded. */
export type RecordInputs = NonNullable<ReturnType<typeof readRecordInputs>>;

/** Returns the GitHub environment for the record of a deploy or rollback; undefined if no record is wanted. */
export function readRecordInputs(reader: InputReader) {
  const environment = reader.optional("environment");
  const production = reader.boolean("production_environment");
  if (environment === undefined) return undefined;
  warnWithoutToken(reader);
  return { environment, isProduction: production ?? environment.toLowerCase().startsWith("prod") };
}

export function warnWithoutToken(reader: InputReader): void {
  if (reader.optional("github_token") !== undefined) return;
  const token = inputName("github_token");
  reader.addNote(
    "warning",
    text`${token} is empty: this run writes nothing to GitHub, such as a record, and checks nothing there. With act, this is expected. Otherwise, leave out ${token} to use the job's token, or check the secret that it refers to.`,
  );
}
