import type { Log } from "../runner/log.ts";
import { createRedactor, type Redactor } from "../text/redact.ts";
import { InputReader } from "./reader.ts";
import { masksFor, readSecrets } from "./secrets.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const credentialInputs = ["api_key", "github_token", "bearer_token", "client_secret"];

/** Masks every secret that came in, before anything else is printed; what is wrong with the inputs is found later. */
export function maskSecretInputs(environment: Environment, log: Log): void {
  const { credentials, values } = secretsOf(environment);
  for (const mask of new Set([...credentials, ...values])) log.mask(mask);
}

/** A redactor for the secrets that came in, and for each of their lines. */
export function redactorFor(environment: Environment): Redactor {
  const { credentials, values } = secretsOf(environment);
  const open = openTexts(environment);
  const unmistakable = values.filter(
    (value) => value.length >= unmistakableLength && !open.some((text) => text.includes(value)),
  );
  return {
    words: createRedactor([...credentials, ...values]),
    value: createRedactor([...credentials, ...unmistakable]),
  };
}

/** In characters: an id or an address holds a shorter text by chance, or because it is an ordinary word. */
const unmistakableLength = 12;

/** What the run shows anyway: a variable that repeats the repository's name, say, is no secret in an address. */
function openTexts(environment: Environment): string[] {
  const variables = ["REPOSITORY", "SERVER_URL", "REF", "HEAD_REF"].map(
    (name) => environment[`GITHUB_${name}`],
  );
  const reader = new InputReader(environment);
  const inputs = ["deployment_id", "name", "environment"].map((name) => reader.raw(name));
  // An address may hold a password or a key.
  const addresses = [reader.raw("custom_url")].filter((text) => !/[@?#]/.test(text));
  return [...variables, ...inputs, ...addresses].filter((text) => text !== undefined);
}

/** What is masked of the inputs that hold secrets: what this action signs in with, and what the deployment is given. */
function secretsOf(environment: Environment): { credentials: string[]; values: string[] } {
  const reader = new InputReader(environment);
  return {
    credentials: credentialInputs.flatMap((input) => masksFor(reader.raw(input))),
    values: readSecrets(reader).entries.flatMap(({ value }) => masksFor(value)),
  };
}
