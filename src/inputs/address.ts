import { isIPv4 } from "node:net";
import { type Platform, platforms, standard } from "../platform/platforms.ts";
import { type InputReader, quote } from "./reader.ts";

/** Where an API is served. */
export interface Address {
  readonly url: URL;
  /** The region whose host `url` is; undefined if the URL itself was given. */
  readonly region: string | undefined;
}

/** Stands for an address that was rejected: this host can't exist (https://www.rfc-editor.org/rfc/rfc6761#section-6.4). */
const invalidAddress = new URL("https://invalid.invalid/");

export function readPlatform(reader: InputReader): Platform {
  return platforms[reader.oneOf("platform", Object.keys(platforms), "standard")] ?? standard;
}

/** The address of an API: the URL of `input`, or the platform's host for `region`. */
export function readAddress(
  reader: InputReader,
  platform: Platform,
  input: "control_plane_url" | "base_url",
): Address {
  const given = reader.optional("region");
  const names = Object.keys(platform.regions);
  if (reader.optional(input) !== undefined) {
    if (given !== undefined) rejectBoth(reader, given, names, input);
    return { url: readBaseUrl(reader, input), region: undefined };
  }
  const region = given ?? names[0];
  if (region === undefined) return { url: readBaseUrl(reader, input), region };
  const hosts = Object.hasOwn(platform.regions, region) ? platform.regions[region] : undefined;
  if (hosts === undefined) {
    reader.reject("region", unknownRegion(region, names, input));
    return { url: invalidAddress, region };
  }
  const url = new URL(input === "control_plane_url" ? hosts.controlPlane : hosts.usage);
  if (given === undefined) {
    reader.note(
      "notice",
      `Using the default region ${region} (${url.origin}). Set region to ${alternatives(names)}, or set ${input} to your own host.`,
    );
  }
  return { url, region };
}

/** Such as `us, eu or apac`. */
function alternatives(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);
}

function rejectBoth(reader: InputReader, region: string, names: readonly string[], input: string): void {
  reader.reject("region", `must not be given together with ${input}`);
  if (names.length > 0 && !names.includes(region)) {
    reader.reject("region", unknownRegion(region, names, input));
  }
}

function unknownRegion(region: string, names: readonly string[], input: string): string {
  if (names.length > 0) return `must be ${alternatives(names)}, not ${quote(region)}`;
  const others = Object.entries(platforms)
    .map(([name, { regions }]) => ({ name, regions: Object.keys(regions) }))
    .filter(({ regions }) => regions.length > 0);
  const list = others.map(({ name, regions }) => `${name}: ${alternatives(regions)}`).join("; ");
  return others.some(({ regions }) => regions.includes(region))
    ? `must not be given: this platform has no regions. Set ${input} instead, or set platform to one that has regions (${list})`
    : `must not be ${quote(region)}: no platform has this region. Set ${input} instead, or set platform and one of its regions (${list})`;
}

/**
 * A base URL: `https:`, or `http:` for a loopback host or with `allow_http`, without user name, password, query and
 * fragment. A rejected URL is never quoted: it may hold a password.
 */
function readBaseUrl(reader: InputReader, input: string): URL {
  const allowHttp = reader.boolean("allow_http") ?? false;
  const text = reader.required(input);
  if (text === "") return invalidAddress;
  const problems = baseUrlProblems(text, allowHttp);
  if (problems.length === 0) return new URL(text);
  for (const problem of problems) reader.reject(input, problem, addressHint);
  return invalidAddress;
}

const addressHint =
  "Start it with https://, and leave out a user name, a password and everything from ? or # on.";

function baseUrlProblems(text: string, allowHttp: boolean): string[] {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return ["must be a URL that starts with https://"];
  const url = new URL(text);
  const problems: string[] = [];
  if (url.username !== "" || url.password !== "") problems.push("must not contain a user name or password");
  if (/^[^#]*\?/.test(text)) problems.push("must not contain a query (? and what follows)");
  if (text.includes("#")) problems.push("must not contain a fragment (# and what follows)");
  if (!allowHttp && isUnprotected(url)) {
    problems.push(
      "must start with https://. For a plain http: URL of a private network set allow_http: true",
    );
  }
  return problems;
}

/** Whether others on the network can read what is sent to this URL. */
export function isUnprotected(url: URL): boolean {
  return url.protocol === "http:" && !isLoopback(url.hostname);
}

/** `localhost` and the loopback addresses: https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  return isIPv4(host) && host.startsWith("127.");
}
