import { isUnprotected } from "../http/url.ts";
import type { Address } from "../platform/control-plane-settings.ts";
import { langsmith } from "../platform/langsmith.ts";
import { type Platform, regionNames } from "../platform/platform.ts";
import { standard } from "../platform/standard.ts";
import { code, inputName, link, listOf, text } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Stands for an address that was rejected: this host can't exist (https://www.rfc-editor.org/rfc/rfc6761#section-6.4). */
export const invalidAddress = new URL("https://invalid.invalid/");

type ApiInput = "control_plane_url" | "base_url";

/**
 * Reads the platform. By default it is `standard`, or `langsmith` if a region is set. A misspelled name counts as `langsmith`,
 * which supports every input, so that it is reported as one problem.
 */
export function readPlatform(reader: InputReader): Platform {
  const isSet = (input: string) => reader.optional(input) !== undefined;
  const fallback = isSet("region") || isSet("platform") ? "langsmith" : "standard";
  const name = reader.oneOf("platform", ["standard", "langsmith"], fallback);
  return name === "standard" ? standard : langsmith;
}

/**
 * Reads the address of an API: the URL of `input`, or the platform's host for `region`. A final `/v1` or `/v2` of a control
 * plane is removed, because the paths of its requests begin with it.
 */
export function readAddress(reader: InputReader, { regions }: Platform, input: ApiInput): Address {
  const isRegionSet = reader.optional("region") !== undefined;
  if (regions === undefined || reader.optional(input) !== undefined) {
    if (isRegionSet) {
      reader.reject(
        "region",
        regions === undefined
          ? text`needs ${code("platform: langsmith")}`
          : text`must not be set together with ${inputName(input)}`,
      );
    }
    const address = readBaseUrl(reader, input);
    const isControlPlane = input === "control_plane_url";
    return {
      url: isControlPlane ? new URL(address.href.replace(/\/+v[12]$/, "")) : address,
      region: undefined,
    };
  }
  const region = reader.oneOf("region", regionNames, regionNames[0]);
  const { controlPlane, usage } = regions[region];
  const address = new URL(input === "control_plane_url" ? controlPlane : usage);
  if (!isRegionSet) {
    const choices = listOf(
      regionNames.map((name) => code(name)),
      "or",
    );
    reader.note(
      "notice",
      text`Using the default region ${code(region)} (${link(address.origin)}). Set ${inputName("region")} to ${choices}, or set ${inputName(input)} to your own host.`,
    );
  }
  return { url: address, region };
}

/**
 * Returns a base URL: `https:`, or `http:` for a loopback host or with `allow_http`, without user name, password, query,
 * fragment and slashes at its end. A rejected URL is never quoted: it may hold a password.
 */
export function readBaseUrl(
  reader: InputReader,
  input: ApiInput | "deployment_url" | "compare_with_url",
): URL {
  const allowHttp = reader.boolean("allow_http") ?? false;
  const value = reader.required(input);
  if (value === "") return invalidAddress;
  const address = /^https?:\/\/[^?#]+$/i.test(value) ? URL.parse(value) : null;
  const isAccepted = address?.username === "" && address.password === "";
  if (!isAccepted || (!allowHttp && isUnprotected(address))) {
    reader.reject(
      input,
      text`must be a URL that starts with ${code("https://")} (in a private network ${code("http://")} with ${code("allow_http: true")}), without user name, password, ${code("?…")} and ${code("#…")}`,
    );
    return invalidAddress;
  }
  return new URL(address.href.replace(/\/+$/, ""));
}
