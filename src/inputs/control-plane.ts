import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { readAddress, readPlatform } from "./platform.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of contract section 2, which every action that talks to the control plane has. */
export function readControlPlane(reader: InputReader): ControlPlaneSettings {
  const platform = readPlatform(reader);
  return {
    platform,
    ...readAddress(reader, platform, "control_plane_url"),
    headers: {
      "x-api-key": readHeaderValue(reader, "api_key"),
      "x-tenant-id": readHeaderValue(reader, "workspace_id"),
    },
    requestTimeoutMs: reader.seconds("request_timeout_seconds", 30),
  };
}

/** A required input that is sent as a header. */
export function readHeaderValue(reader: InputReader, input: string): string {
  reader.required(input);
  return readOptionalHeaderValue(reader, input) ?? "";
}

/** An input that is sent as a header: what can't stand in one is refused without being quoted. */
export function readOptionalHeaderValue(reader: InputReader, input: string): string | undefined {
  const value = reader.optional(input);
  if (!/^[\x21-\x7e\x80-\xff]*$/.test(value ?? "")) {
    reader.refuse(input, "holds a blank, a line end or another character that can't be sent in a header");
  }
  return value;
}
