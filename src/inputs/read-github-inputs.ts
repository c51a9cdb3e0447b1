import { inputName, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Returns the GitHub environment for the record of a deploy or rollback; undefined if no record is wanted. */
export function readRecordInputs(reader: InputReader) {
  const environment = reader.optional("environment");
  const production = reader.boolean("production_environment");
  if (environment === undefined) return undefined;
  warnWithoutToken(reader);
  return { environment, production: production ?? environment.toLowerCase().startsWith("prod") };
}

export function warnWithoutToken(reader: InputReader): void {
  if (reader.optional("github_token") !== undefined) return;
  reader.note(
    "warning",
    text`${token} is empty: this run gets no record and no comment on GitHub, and its ref and files are not checked there. ${emptyTokenHint}.`,
  );
}

/** Reads `github_token`. Rejects an empty one. */
export function readRequiredToken(reader: InputReader): string {
  const value = reader.optional("github_token");
  if (value === undefined) reader.reject("github_token", text`is empty. ${emptyTokenHint}`);
  return value ?? "";
}

const token = inputName("github_token");
const emptyTokenHint = text`With act, this is expected. Otherwise, leave out ${token} to use the job's token, or check the secret that it refers to`;
