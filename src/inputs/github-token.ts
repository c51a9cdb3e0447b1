import type { InputReader } from "./reader.ts";

/** Reads `github_token` for an action that can't do without; that it came in empty stays in the reader as a problem. */
export function requireToken(reader: InputReader): string {
  const token = reader.optional("github_token");
  if (token === undefined) reader.refuse("github_token", `is empty. ${howItComes}`);
  return token ?? "";
}

/** Warns where `github_token` came in empty. `leftOut`: what isn't done without it, as text without its last stop. */
export function warnWithoutToken(reader: InputReader, leftOut: string): void {
  if (reader.optional("github_token") !== undefined) return;
  reader.remark("warning", `github_token is empty: ${leftOut}. ${howItComes}.`);
}

const howItComes =
  "A secret that doesn't exist comes in empty; leave github_token out to use the job's own token";
