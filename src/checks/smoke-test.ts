import type { HeaderValues } from "../agent/request-parts.ts";
import type { HttpMethod } from "../http/request.ts";

/** A request to the deployed agent, and the expected response. */
export interface SmokeTest {
  readonly name: string;
  readonly method: HttpMethod;
  /** The path below the deployment's URL. */
  readonly path: string;
  /** Headers that are added to `agent_headers` or replace them, by lower-case names. */
  readonly headers: HeaderValues;
  /** Sent as JSON; undefined: no body. */
  readonly body: unknown;
  /** The expected run of a graph; undefined for any other request. */
  readonly run: { readonly graph: string; readonly interrupted: boolean } | undefined;
  readonly expected: Expected;
  /** How often the request is sent, and how many responses must pass. */
  readonly repeat: number;
  readonly minPasses: number;
}

export interface Expected {
  /** The expected status; undefined for any 2xx. */
  readonly status: number | undefined;
  /** Texts that must be in the response. */
  readonly contains: readonly string[];
  /** A regular expression that must match somewhere in the response. */
  readonly matches: string | undefined;
  /** Values in the JSON of the response, by JSON Pointers. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The total time of the request and its response. */
  readonly maxMs: number;
}
