import { isUnprotected } from "../http/url.ts";
import type { ApiLocation } from "../platform/control-plane-settings.ts";
import { regionNames, regions } from "../platform/regions.ts";
import { code, inputName, link, phrase, text } from "../text/message.ts";
import { choicesOf, type InputReader } from "./reader.ts";

/** Stands for a URL that was rejected: this host can't exist (https://www.rfc-editor.org/rfc/rfc6761#section-6.4). */
const invalidUrl = new URL("https://invalid.invalid/");

type ApiInput = "control_plane_url" | "base_url";

/**
 * Reads the platform: by default `standard`, or `langsmith` if a region is set. A misspelled name counts as `langsmith`, which
 * supports every input, so that the name is the only problem.
 */
export function readPlatformName(reader: InputReader) {
  const given = reader.optional("region") ?? reader.optional("platform");
  const fallback = given === undefined ? "standard" : "langsmith";
  return reader.oneOf("platform", ["standard", "langsmith"], fallback);
}

/**
 * Reads where an API is: the URL of `input`, or the platform's host for `region`. A final `/v1` or `/v2` is removed, because
 * the paths of requests have it.
 */
export function readApiLocation(reader: InputReader, input: ApiInput): ApiLocation {
  const isUrlSet = reader.optional(input) !== undefined;
  const isRegionSet = reader.optional("region") !== undefined;
  if (readPlatformName(reader) === "standard" || isUrlSet) {
    const problem = isUrlSet
      ? phrase`must not be set together with ${inputName(input)}`
      : phrase`needs ${code("platform: langsmith")}`;
    if (isRegionSet) reader.reject("region", problem);
    const { href } = readBaseUrl(reader, input);
    return { url: new URL(href.replace(/\/+v[12]$/, "")), region: undefined };
  }
  const region = reader.oneOf("region", regionNames, regionNames[0]);
  const { controlPlane, usage } = regions[region];
  const url = new URL(input === "control_plane_url" ? controlPlane : usage);
  if (!isRegionSet) {
    reader.addNote(
      "notice",
      text`Using the default region ${code(region)} (${link(url.origin)}). Set ${inputName("region")} to ${choicesOf(regionNames)}, or set ${inputName(input)} to your own host.`,
    );
  }
  return { url, region };
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
  if (value === "") return invalidUrl;
  const url = /^https?:\/\/[^?#]+$/i.test(value) ? URL.parse(value) : null;
  if (url?.username === "" && url.password === "" && (allowHttp || !isUnprotected(url))) {
    return new URL(url.href.replace(/\/+$/, ""));
  }
  reader.reject(
    input,
    phrase`must be a URL that starts with ${code("https://")} (in a private network ${code("http://")} with ${code("allow_http: true")}), without user name, password, ${code("?…")} and ${code("#…")}`,
  );
  return invalidUrl;
}
