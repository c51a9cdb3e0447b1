import { inputName, type Message, quote, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

export type RecordInputs = NonNullable<ReturnType<typeof readRecordInputs>>;

/** The GitHub environment in which the root action records its deployment; undefined if no record is wanted. */
export function readRecordInputs(reader: InputReader) {
  const environment = reader.optional("environment");
  const production = reader.boolean("production_environment");
  if (environment === undefined) return undefined;
  return { environment, production: production ?? environment.toLowerCase().startsWith("prod") };
}

/** What an action without a token does not do, as a part of a sentence. */
export function notRecorded({ environment }: RecordInputs): Message {
  return text`this run is not recorded in the environment ${quote(environment, 100)}`;
}

/** Warns if `github_token` is empty. `consequence`: what the action does without it, without a final full stop. */
export function warnWithoutToken(reader: InputReader, consequence: Message): void {
  if (reader.optional("github_token") !== undefined) return;
  reader.note("warning", text`${token} is empty: ${consequence}. ${emptyTokenHint}.`);
}

/** `github_token` for an action that needs it: an empty one is rejected. */
export function readRequiredToken(reader: InputReader): string {
  const value = reader.optional("github_token");
  if (value === undefined) reader.reject("github_token", text`is empty. ${emptyTokenHint}`);
  return value ?? "";
}

const token = inputName("github_token");
const emptyTokenHint = text`With act, this is expected. Otherwise, leave out ${token} to use the job's token, or check the secret that it refers to`;
