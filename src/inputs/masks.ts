import type { Log } from "../runner/log.ts";
import { InputReader } from "./reader.ts";
import { masksFor, readSecrets } from "./secrets.ts";

const secretInputs = ["api_key", "github_token", "bearer_token", "client_secret"];

/** Masks every secret that came in, before anything else is printed; what is wrong with the inputs is found later. */
export function maskSecretInputs(environment: Readonly<Record<string, string | undefined>>, log: Log): void {
  const reader = new InputReader(environment);
  const values = [
    ...secretInputs.map((input) => reader.raw(input)),
    ...readSecrets(reader).secrets.map(({ value }) => value),
  ];
  for (const mask of new Set(values.flatMap(masksFor))) log.mask(mask);
}
