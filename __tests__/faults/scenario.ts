import type { Emulator, EmulatorOptions } from "../../emulator/server.ts";
import type { CreateRequest } from "../../src/platform/schemas.ts";
import type { ActionName, Phase } from "../../src/run.ts";
import type { GitHubOptions, GitHubStandIn } from "../support/github/github-stand-in.ts";
import type { Role } from "./expectations.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";

/** The servers before the run: what is there already, and what goes wrong whatever the fault. */
export interface Stage {
  readonly emulator: Emulator;
  /** Only where the scenario says that it uses it. */
  readonly github: () => GitHubStandIn;
  /** Creates a deployment past every proxy; `passSeconds` of virtual time then go by: 60 unless told. */
  readonly existing: (
    name: string,
    request?: Partial<CreateRequest>,
    passSeconds?: number,
  ) => Promise<{ id: string; revisionId: string }>;
  /** A request of somebody else's. */
  readonly elsewhere: (line: string, body?: unknown) => Promise<void>;
  /** Lets so many seconds of the run's time go by. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** What a run is given beside what reaches its servers. */
export interface Given {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The event's payload; a push to main unless told. */
  readonly event?: { readonly name: string; readonly payload: unknown };
  /** A revision that was there before and may count as this run's (a re-run's). */
  readonly ownRevision?: string;
}

/** One of the requests that a scenario makes. */
export interface Target {
  readonly name: string;
  readonly server: "platform" | "GitHub";
  readonly role: Role;
  readonly route: (request: ProxiedRequest, before: readonly ProxiedRequest[]) => boolean;
  /** The first of its route that is meant, counted from 1; 1 unless told. */
  readonly from?: number;
  /** Whether it changes something, so that each fault is tried with and without the change. */
  readonly writes?: true;
  /** Its answer holds nothing whose absence would be noticed, so that it can't come without. */
  readonly idless?: true;
  /** Its answer shows the id that was asked for. */
  readonly byId?: true;
  /** Every fault of it belongs into the short form. */
  readonly short?: true;
}

/** A run of an action, and the requests in it that faults befall. */
export interface Scenario {
  readonly name: string;
  readonly action: ActionName;
  readonly phase?: Phase;
  /** How it ends where nothing goes wrong: the outcome, or `done` where the action has no such output. */
  readonly healthy: string;
  /** The repository on GitHub, where that takes part. */
  readonly github?: Pick<GitHubOptions, "files">;
  readonly emulator?: EmulatorOptions;
  /** Revisions beside its own that a run may bring about; none unless told. */
  readonly furtherRevisions?: number;
  readonly setUp: (stage: Stage) => Promise<Given>;
  readonly targets: readonly Target[];
}

/** Matches a method and a path. */
export function on(method: string, path: RegExp): Target["route"] {
  return (request) => request.method === method && path.test(request.path);
}
