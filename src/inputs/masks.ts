import { type HeaderValues, headerSecrets, mayBeSecret, querySecrets } from "../agent/request-parts.ts";
import type { StepLog } from "../report/runner/step-log.ts";
import { createRunRedactor, type RunRedactor } from "../text/run-redactor.ts";
import { linesOf } from "../text/strings.ts";
import type { Environment } from "../workflow-run.ts";
import { readAgentHeaders } from "./read-checks.ts";
import { repositoryLabel } from "./read-preview-inputs.ts";
import { InputReader } from "./reader.ts";
import { readSmokeTests } from "./smoke-tests.ts";
import { readVariables } from "./variables.ts";

const credentialInputs = ["api_key", "github_token", "bearer_token", "client_secret"] as const;

/**
 * Has the runner mask every secret in a step's inputs, and returns their redactor. Must run before anything is printed. It
 * ignores mistakes in the inputs, which are reported when the action reads them.
 */
export function maskSecretInputs(env: Environment, log: Pick<StepLog, "mask">): RunRedactor {
  const reader = new InputReader(env);
  const credentials = credentialInputs.flatMap((input) => masksFor(reader.raw(input)));
  const variables = readVariables(reader, "secrets").map(({ value }) => value);
  const values = [...variables, ...requestSecrets(reader)]
    .flatMap(masksFor)
    // An agent may get the workspace's ID in a header or a variable. That does not make the ID a secret.
    .filter((mask) => mask.trim() !== reader.optional("workspace_id"));
  for (const secret of new Set([...credentials, ...values])) log.mask(secret);
  return createRunRedactor({ credentials, values }, shownTexts(env, reader));
}

// biome-ignore format: several a line
const shownInputs = [
  "deployment_id", "name", "environment", "workspace_id", "custom_url", "deployment_url", "compare_with_url",
] as const;

/** Returns texts that the run shows anyway. A secret that is part of one stays readable in ids and URLs. */
function shownTexts(env: Environment, reader: InputReader): string[] {
  const variables = ["REPOSITORY", "SERVER_URL", "REF", "HEAD_REF"];
  return [
    ...variables.map((name) => env[`GITHUB_${name}`] ?? ""),
    ...shownInputs.map((name) => reader.raw(name)),
    repositoryLabel(env.GITHUB_REPOSITORY ?? ""),
  ];
}

/** Headers whose values are never secret, but often repeated. */
const plainHeaders = new Set(["accept", "content-type", "user-agent"]);

/** Returns the values that may be secret in the headers and queries of requests to the agent. */
function requestSecrets(reader: InputReader): string[] {
  const tests = readSmokeTests(reader);
  // The headers of a test are public in the workflow file, except for secrets. Short values may be ordinary words.
  const ofTests = tests.flatMap(({ headers }) => secretsOf(headers)).filter(mayBeSecret);
  const paths = [reader.raw("health_check_path"), ...tests.map(({ path }) => path)];
  return [...secretsOf(readAgentHeaders(reader)), ...ofTests, ...paths.flatMap(querySecrets)];
}

function secretsOf(headers: HeaderValues): string[] {
  return Object.entries(headers)
    .filter(([name]) => !plainHeaders.has(name))
    .flatMap(([, value]) => headerSecrets(value));
}

/** Returns the masks of a secret: each of its lines, as the runner does, except for those that must stay readable. */
function masksFor(value: string): string[] {
  const lines = linesOf([value]).flatMap((line) => [line, line.trim()]);
  return [...new Set(lines.filter(isMaskable))];
}

/** Booleans, and masks of less than 4 characters, would make the log unreadable. Blanks at the ends don't count. */
function isMaskable(value: string): boolean {
  const trimmed = value.trim();
  return trimmed.length >= 4 && !/^(true|false)$/i.test(trimmed);
}
