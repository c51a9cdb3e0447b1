import { type HeaderValues, headerSecrets, mayBeSecret, querySecrets } from "../agent/request-parts.ts";
import type { StepLog } from "../report/runner/step-log.ts";
import { linesOf } from "../text/lines.ts";
import { createRunRedactor, type RunRedactor, type RunSecrets } from "../text/redact.ts";
import type { Environment } from "../workflow-run.ts";
import { readAgentHeaders } from "./agent-headers.ts";
import { repositoryLabel } from "./read-preview-inputs.ts";
import { InputReader } from "./reader.ts";
import { readSmokeTests } from "./smoke-tests.ts";
import { readVariables } from "./variables.ts";

/**
 * Has the runner mask every secret in a step's inputs, and returns their redactor. Must run before anything is printed. It
 * ignores mistakes in the inputs, which are reported when the action reads them.
 */
export function maskSecretInputs(env: Environment, log: Pick<StepLog, "mask">): RunRedactor {
  const secrets = readMasks(env);
  for (const secret of new Set([...secrets.credentials, ...secrets.values])) log.mask(secret);
  return createRunRedactor(secrets, shownTexts(env));
}

/** Returns a redactor for the secrets in a step's inputs. */
export function redactorFor(env: Environment): RunRedactor {
  return createRunRedactor(readMasks(env), shownTexts(env));
}

/** Returns texts that the run shows anyway. A secret that is part of one stays readable in ids and URLs. */
function shownTexts(env: Environment): string[] {
  const reader = new InputReader(env);
  const variables = ["REPOSITORY", "SERVER_URL", "REF", "HEAD_REF"];
  const inputs = [
    "deployment_id",
    "name",
    "environment",
    "workspace_id",
    "custom_url",
    "deployment_url",
    "compare_with_url",
  ] as const;
  return [
    ...variables.map((name) => env[`GITHUB_${name}`] ?? ""),
    ...inputs.map((name) => reader.raw(name)),
    repositoryLabel(env.GITHUB_REPOSITORY ?? ""),
  ];
}

const credentialInputs = ["api_key", "github_token", "bearer_token", "client_secret"] as const;

/** Returns the masks for the action's credentials, and for the deployment's secrets and the headers to the agent. */
function readMasks(env: Environment): RunSecrets {
  const reader = new InputReader(env);
  const variables = readVariables(reader, "secrets").map(({ value }) => value);
  const values = [...variables, ...requestSecrets(reader)];
  return {
    credentials: credentialInputs.flatMap((input) => masksFor(reader.raw(input))),
    // An agent may get the workspace's ID in a header or a variable. That does not make the ID a secret.
    values: values.flatMap(masksFor).filter((mask) => mask.trim() !== reader.optional("workspace_id")),
  };
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
