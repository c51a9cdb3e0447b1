import type { InputReader } from "./reader.ts";

/** Warns where `github_token` came in empty. `leftOut`: what isn't done without it, as a sentence without its stop. */
export function warnWithoutToken(reader: InputReader, leftOut: string): void {
  if (reader.optional("github_token") !== undefined) return;
  reader.remark(
    "warning",
    `github_token is empty: ${leftOut}. A secret that doesn't exist comes in empty; leave github_token out to use the job's own token.`,
  );
}
