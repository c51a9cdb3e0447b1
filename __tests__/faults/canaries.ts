import { defaultToken } from "../support/runner/run-action.ts";

/** A value for every secret that a run is given, unlike anything else. */
export const canaries = {
  apiKey: "canary-api-key-2f6d1c7e9b",
  secret: "canary-secret-value-5a1b88",
  clientSecret: "canary-client-secret-77aa01",
  token: defaultToken,
} as const;

/** The `secrets` input of every step that deploys. */
export const givenSecrets = `A_SECRET=${canaries.secret}`;
