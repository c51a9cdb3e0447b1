import type { Log } from "../runner/log.ts";
import { InputReader } from "./reader.ts";
import { masksFor, readSecrets } from "./secrets.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const secretInputs = ["api_key", "github_token", "bearer_token", "client_secret"];

/** Masks every secret that came in, before anything else is printed; what is wrong with the inputs is found later. */
export function maskSecretInputs(environment: Environment, log: Log): void {
  for (const mask of secretsOf(environment)) log.mask(mask);
}

/** Every secret that came in, and each of its lines, as far as they are worth hiding. */
export function secretsOf(environment: Environment): string[] {
  const reader = new InputReader(environment);
  const values = [
    ...secretInputs.map((input) => reader.raw(input)),
    ...readSecrets(reader).secrets.map(({ value }) => value),
  ];
  return [...new Set(values.flatMap(masksFor))];
}
