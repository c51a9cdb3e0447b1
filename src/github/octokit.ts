import type { getOctokit } from "@actions/github";
import { type Redactor, withTexts } from "../text/redact.ts";
import type { wholeFetch } from "./whole-fetch.ts";

export type Octokit = ReturnType<typeof getOctokit>;

/** What every call passes on to Octokit. */
export interface CallOptions {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal; readonly fetch: ReturnType<typeof wholeFetch> };
}

/** What GitHub shows of that which is written there. */
const shownFields = ["body", "description", "environment_url", "payload"];

/** Octokit warns on the console, past the log that makes text inert. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * `@actions/github` costs more start-up than all the rest, so it is loaded when first used. Secrets are taken out of
 * what is written: comments and records are for all to read, and GitHub masks nothing in them.
 *
 * @throws what the toolkit throws where it can't use this machine's proxy, GitHub's address or the event's file
 */
export async function loadOctokit(token: string, baseUrl: string, redact: Redactor): Promise<Octokit> {
  const github = await import("@actions/github");
  const octokit = github.getOctokit(token, { baseUrl, log: silent });
  octokit.hook.before("request", (options: Record<string, unknown>) => {
    for (const field of shownFields.filter((name) => options[name] !== undefined)) {
      options[field] = withTexts(options[field], redact.value);
    }
  });
  return octokit;
}
