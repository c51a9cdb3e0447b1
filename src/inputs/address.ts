import { isUnprotected } from "../http/unprotected.ts";
import type { Platform } from "../platform/platform.ts";
import { platforms } from "../platform/platforms.ts";
import { code, input as inputName, joined, listed, type Message, quote, text, url } from "../text/message.ts";
import type { InputReader } from "./reader.ts";

/** Where an API is served. */
export interface Address {
  readonly url: URL;
  /** The region whose host `url` is; undefined if the URL itself was set. */
  readonly region: string | undefined;
}

/** Stands for an address that was rejected: this host can't exist (https://www.rfc-editor.org/rfc/rfc6761#section-6.4). */
const invalidAddress = new URL("https://invalid.invalid/");

/** The input that holds the URL of an API. */
type UrlInput = "control_plane_url" | "base_url";

/**
 * The platform that is set; without one, a region means the platform that has regions. That one also stands for a platform that
 * was rejected: it has everything that other inputs may ask for, so that a misspelled name is one problem.
 */
export function readPlatform(reader: InputReader): Platform {
  const isSet = (input: string) => reader.optional(input) !== undefined;
  const fallback = isSet("region") || isSet("platform") ? "langsmith" : "standard";
  return platforms[reader.oneOf("platform", ["standard", "langsmith"], fallback)];
}

/** The address of an API: the URL of `input`, or the platform's host for `region`. */
export function readAddress(reader: InputReader, platform: Platform, input: UrlInput): Address {
  const chosen = reader.optional("region");
  const regions = platform.regions ?? {};
  const names = Object.keys(regions);
  if (reader.optional(input) !== undefined) {
    if (chosen !== undefined) {
      reader.reject("region", text`must not be set together with ${inputName(input)}`, {
        hint: text`Remove ${inputName("region")} or ${inputName(input)}.`,
      });
    }
    return { url: readBaseUrl(reader, input), region: undefined };
  }
  const region = chosen ?? names[0];
  if (region === undefined) return { url: readBaseUrl(reader, input), region };
  const hosts = Object.hasOwn(regions, region) ? regions[region] : undefined;
  if (hosts === undefined) {
    reader.reject("region", unknownRegion(region, names, input));
    return { url: invalidAddress, region };
  }
  const address = new URL(input === "control_plane_url" ? hosts.controlPlane : hosts.usage);
  if (chosen === undefined) {
    reader.note(
      "notice",
      text`Using the default region ${code(region)} (${url(address.origin)}). Set ${inputName("region")} to ${alternatives(names)}, or set ${inputName(input)} to your own host.`,
    );
  }
  return { url: address, region };
}

/** Such as `us, eu or apac`. */
function alternatives(names: readonly string[]): Message {
  return listed(
    names.map((name) => code(name)),
    "or",
  );
}

function unknownRegion(region: string, names: readonly string[], input: UrlInput): Message {
  if (names.length > 0) return text`must be ${alternatives(names)}, not ${quote(region, 100)}`;
  const others = Object.entries(platforms)
    .map(([name, { regions = {} }]) => ({ name, regions: Object.keys(regions) }))
    .filter(({ regions }) => regions.length > 0)
    .map(({ name, regions }) => text`${code(name)}: ${alternatives(regions)}`);
  return text`must not be set, because this platform has no regions. Set ${inputName(input)} instead, or set ${inputName("platform")} to one that has regions (${joined(others, "; ")})`;
}

/**
 * A base URL: `https:`, or `http:` for a loopback host or with `allow_http`, without user name, password, query and
 * fragment. A rejected URL is never quoted: it may hold a password.
 */
function readBaseUrl(reader: InputReader, input: UrlInput): URL {
  const allowHttp = reader.boolean("allow_http") ?? false;
  const value = reader.required(input);
  if (value === "") return invalidAddress;
  const problems = baseUrlProblems(value, allowHttp);
  if (problems.length === 0) return new URL(value);
  for (const problem of problems) reader.reject(input, problem, { hint: addressHint });
  return invalidAddress;
}

const https = code("https://");
const addressHint = text`Use an ${https} address without user name, password, ${code("?…")} or ${code("#…")}.`;

function baseUrlProblems(value: string, allowHttp: boolean): Message[] {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    return [text`must be a URL that starts with ${https}`];
  }
  const parsed = new URL(value);
  const problems: Message[] = [];
  if (parsed.username !== "" || parsed.password !== "") {
    problems.push(text`must not contain a user name or password`);
  }
  if (/^[^#]*\?/.test(value)) problems.push(text`must not contain a query (${code("?")} and what follows)`);
  if (value.includes("#")) problems.push(text`must not contain a fragment (${code("#")} and what follows)`);
  if (!allowHttp && isUnprotected(parsed)) {
    problems.push(
      text`must start with ${https}. For a plain ${code("http:")} URL of a private network set ${code("allow_http: true")}`,
    );
  }
  return problems;
}
