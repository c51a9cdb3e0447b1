import type { Log } from "../report/log.ts";
import { createLineRedactor, createRedactor, type RunRedactor } from "../text/redact.ts";
import { agentHeaderSecrets, type Headers, headerSecrets } from "./agent-headers.ts";
import { type Environment, InputReader } from "./reader.ts";
import { readSecrets } from "./secrets.ts";

const credentialInputs = ["api_key", "github_token", "bearer_token", "client_secret"];

/** Has the runner mask every secret. Must run before anything is printed, so problems with the inputs don't matter. */
export function maskSecretInputs(environment: Environment, log: Pick<Log, "mask">): void {
  const { credentials, values } = readMasks(environment);
  for (const mask of new Set([...credentials, ...values])) log.mask(mask);
}

/** A redactor for the secrets in a step's inputs, whole and line by line. */
export function redactorFor(environment: Environment): RunRedactor {
  const shown = shownTexts(environment);
  const isDistinctive = (value: string) =>
    value.length >= minDistinctiveLength && !shown.some((text) => text.includes(value));
  let { credentials: known, values } = readMasks(environment);
  const create = () => ({
    text: createRedactor([...known, ...values]),
    lines: createLineRedactor([...known, ...values]),
    value: createRedactor([...known, ...values.filter(isDistinctive)]),
  });
  let current = create();
  return {
    text: (text) => current.text(text),
    lines: (lines) => current.lines(lines),
    value: (text) => current.value(text),
    add(secrets) {
      known = [...known, ...secrets];
      current = create();
    },
    addValues(more) {
      values = [...values, ...more];
      current = create();
    },
  };
}

/** Headers whose values are never secret, but often repeated. */
const plainHeaders = new Set(["accept", "content-type", "user-agent"]);
/** Shorter values of a test's headers are often ordinary words: they stand in a file that all may read. */
const minHeaderLength = 8;

/** From now on neither log nor report shows the values of headers that a smoke test sets itself. */
export function maskHeaders(
  headers: Headers,
  { log, redact }: { log: Pick<Log, "mask">; redact: RunRedactor },
): void {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.has(name) ? [] : headerSecrets(value),
  );
  const masks = values.filter((value) => value.length >= minHeaderLength).flatMap(masksFor);
  for (const mask of new Set(masks)) log.mask(mask);
  redact.addValues(masks);
}

/** Shorter values are often ordinary words, which an id or a URL contains by chance. */
const minDistinctiveLength = 12;

/** What the run shows anyway: a secret that repeats the repository's name, say, is none in a URL. */
function shownTexts(environment: Environment): string[] {
  const variables = ["REPOSITORY", "SERVER_URL", "REF", "HEAD_REF"];
  const reader = new InputReader(environment);
  const inputs = ["deployment_id", "name", "environment"].map((name) => reader.raw(name));
  // A URL with one of these characters may hold a password or a key.
  const urls = [reader.raw("custom_url")].filter((text) => !/[@?#]/.test(text));
  return [...variables.map((name) => environment[`GITHUB_${name}`] ?? ""), ...inputs, ...urls];
}

/** The masks for the action's own credentials, and for the values of the deployment's secrets and the agent's headers. */
function readMasks(environment: Environment): { credentials: string[]; values: string[] } {
  const reader = new InputReader(environment);
  return {
    credentials: credentialInputs.flatMap((input) => masksFor(reader.raw(input))),
    values: [...readSecrets(reader).entries.map(({ value }) => value), ...agentHeaderSecrets(reader)].flatMap(
      masksFor,
    ),
  };
}

/**
 * What to mask for a secret: each of its lines, and the whole value. The runner masks every line of a mask too
 * (https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs, AddMaskCommandExtension), so
 * a value with a line that must stay readable is masked line by line only.
 */
function masksFor(value: string): string[] {
  const lines = value.split(/[\r\n]/).filter((line) => line !== "");
  const maskable = lines.flatMap((line) => [line, line.trim()]).filter(isMaskable);
  const whole = lines.every(isMaskable) && isMaskable(value) ? [value] : [];
  return [...new Set([...whole, ...maskable])];
}

/** Masks shorter than 4 characters and booleans would make the log unreadable. Blanks at the ends don't count. */
function isMaskable(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length >= 4 && !/^(true|false)$/i.test(trimmed);
}
