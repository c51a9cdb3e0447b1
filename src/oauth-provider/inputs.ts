import * as v from "valibot";
import { readOptionalHeaderValue } from "../inputs/control-plane.ts";
import { readId } from "../inputs/id.ts";
import { readAddress, readPlatform } from "../inputs/platform.ts";
import { type InputReader, quote } from "../inputs/reader.ts";
import type { ProviderApiSettings } from "./client.ts";
import { type ProviderUpdateRequest, ProviderUpdateRequestSchema } from "./schemas.ts";

const FieldSchema = v.keyof(ProviderUpdateRequestSchema);
export type ProviderField = v.InferOutput<typeof FieldSchema>;

/** The inputs of the oauth-provider action (contract, 8). */
export interface ProviderInputs {
  readonly controlPlane: ProviderApiSettings;
  readonly providerId: string;
  /** Holds only what was given, and `null` for what is to be cleared. */
  readonly request: ProviderUpdateRequest;
  /** Names of the fields that were given a value. */
  readonly given: readonly ProviderField[];
  readonly cleared: readonly ProviderField[];
}

/** Reads the inputs of the oauth-provider action; problems stay in the reader. */
export function readProviderInputs(reader: InputReader): ProviderInputs {
  const values = {
    name: reader.optional("name"),
    client_id: reader.optional("client_id"),
    client_secret: reader.optional("client_secret"),
    auth_url: readEndpoint(reader, "auth_url"),
    token_url: readEndpoint(reader, "token_url"),
    uses_pkce: reader.boolean("uses_pkce"),
    code_challenge_method: reader.optional("code_challenge_method"),
  } satisfies Record<ProviderField, string | boolean | undefined>;
  const given = FieldSchema.options.filter((field) => reader.optional(field) !== undefined);
  const cleared = readClear(reader, given);
  const nulls = Object.fromEntries(cleared.map((field) => [field, null]));
  return {
    controlPlane: {
      ...readAddress(reader, readPlatform(reader), "control_plane_url"),
      headers: readCredentials(reader),
      requestTimeoutMs: reader.seconds("request_timeout_seconds", 30),
    },
    providerId: readProviderId(reader),
    request: { ...values, ...nulls },
    given,
    cleared,
  };
}

/**
 * A key with its workspace; beside a bearer token either may be left out (contract, 8). How the platform combines
 * them isn't published (platform-api, "Gaps in this part").
 */
function readCredentials(reader: InputReader): Record<string, string> {
  const token = readOptionalHeaderValue(reader, "bearer_token");
  const key = readOptionalHeaderValue(reader, "api_key");
  const workspace = readOptionalHeaderValue(reader, "workspace_id");
  if (token === undefined && key === undefined) reader.refuse("api_key", "has to be given, or bearer_token");
  if (token === undefined && workspace === undefined)
    reader.refuse("workspace_id", "has to be given, or bearer_token");
  return {
    ...(key !== undefined && { "x-api-key": key }),
    ...(workspace !== undefined && { "x-tenant-id": workspace }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}

function readProviderId(reader: InputReader): string {
  reader.required("provider_id");
  return readId(reader, "provider_id") ?? "";
}

function readEndpoint(reader: InputReader, input: ProviderField): string | undefined {
  const text = reader.optional(input);
  if (text !== undefined && !(/^https?:\/\/\S+$/i.test(text) && URL.canParse(text))) {
    reader.refuse(input, "has to be an address that starts with https:// or http:// and holds no blank");
  }
  return text;
}

function readClear(reader: InputReader, given: readonly ProviderField[]): ProviderField[] {
  const names = new Set(reader.list("clear"));
  if (names.size === 0 && given.length === 0) {
    const fields = FieldSchema.options.join(", ");
    reader.refuse(
      "clear",
      `or a field (${fields}) has to be given: there is nothing to update (a secret that doesn't exist comes in empty)`,
    );
  }
  const cleared: ProviderField[] = [];
  for (const name of names) {
    const field = v.safeParse(FieldSchema, name);
    if (!field.success) {
      reader.refuse("clear", `holds ${quote(name)}, which is none of ${FieldSchema.options.join(", ")}`);
    } else if (given.includes(field.output)) {
      reader.refuse(field.output, "is given and named in the input clear: it can't be both");
    } else {
      cleared.push(field.output);
    }
  }
  return cleared;
}
