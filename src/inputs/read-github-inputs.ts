import { inputName, phrase, text } from "../text/message.ts";
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
  reader.addNote(
    "warning",
    text`${token} is empty: this run writes nothing to GitHub, such as a record, and checks nothing there. With act, this is expected. Otherwise, leave out ${token} ${orCheckSecretHint}`,
  );
}

export function readRequiredToken(reader: InputReader): string {
  const value = reader.optional("github_token");
  if (value === undefined) {
    const hint = text`Leave out ${token} ${orCheckSecretHint} With act there is none, so this action works only on GitHub.`;
    reader.reject("github_token", phrase`is empty`, { hint });
  }
  return value ?? "";
}

const token = inputName("github_token");
const orCheckSecretHint = text`to use the job's token, or check the secret that it refers to.`;
