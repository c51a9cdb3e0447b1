import type { InputReader } from "./reader.ts";

/** Where on GitHub the root action records its deployment (contract, 3). */
export interface RecordInputs {
  readonly environment: string;
  readonly production: boolean;
}

/** Reads them, undefined where no record is wanted; problems stay in the reader. */
export function readRecordInputs(reader: InputReader): RecordInputs | undefined {
  const environment = reader.optional("environment");
  const production = reader.boolean("production_environment");
  if (environment === undefined) return undefined;
  return { environment, production: production ?? environment.toLowerCase().startsWith("prod") };
}
