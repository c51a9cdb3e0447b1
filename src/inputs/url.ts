import { isIPv4 } from "node:net";
import type { InputReader } from "./reader.ts";

/** Stands for an address that was refused: there is no such host (RFC 6761, 6.4). */
export const noAddress = new URL("https://invalid.invalid/");

/**
 * A base URL by the rules of contract section 2: `https:` only, except for a loopback host or with `allow_http`;
 * no user name, password, query or fragment. The value is never quoted: people paste addresses with a password.
 */
export function readBaseUrl(reader: InputReader, input: string): URL {
  const allowHttp = reader.boolean("allow_http") ?? false;
  const text = reader.required(input);
  if (text === "") return noAddress;
  const problems = baseUrlProblems(text, allowHttp);
  if (problems.length === 0) return new URL(text);
  for (const problem of problems) reader.refuse(input, problem);
  return noAddress;
}

function baseUrlProblems(text: string, allowHttp: boolean): string[] {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return ["has to be an address that starts with https://"];
  const url = new URL(text);
  const problems: string[] = [];
  if (url.username !== "" || url.password !== "") problems.push("must not hold a user name or password");
  if (/^[^#]*\?/.test(text)) problems.push("must not hold a query (the part from the ? on)");
  if (text.includes("#")) problems.push("must not hold a fragment (the part from the # on)");
  if (!allowHttp && isUnprotected(url)) {
    problems.push(
      "has to start with https://; for a plain http: address of a private network set allow_http: true",
    );
  }
  return problems;
}

/** Whether anyone on the way can read what is sent to this address (contract, 2). */
export function isUnprotected(url: URL): boolean {
  return url.protocol === "http:" && !isLoopback(url.hostname);
}

/** RFC 6761, 6.3 and the loopback ranges of RFC 1122 and RFC 4291. */
function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  return isIPv4(host) && host.startsWith("127.");
}
