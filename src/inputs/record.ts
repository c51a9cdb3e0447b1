import { warnWithoutToken } from "./github-token.ts";
import { type InputReader, quote } from "./reader.ts";

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
  warnWithoutToken(
    reader,
    `this deployment isn't recorded in the environment ${quote(environment)}, and whether ref and configuration file exist isn't checked first`,
  );
  return { environment, production: production ?? environment.toLowerCase().startsWith("prod") };
}
