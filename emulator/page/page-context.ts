/** What the page is made of: the operations that the routes of the API use too. */
import type { ControlPlane } from "../control-plane/control-plane.ts";
import type { Inspection } from "../control-plane/inspection.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { UsageReader } from "../emulation.ts";
import type { RequestHistory } from "./request-history.ts";

export interface PageContext {
  /** Opens the page. */
  readonly token: string;
  readonly history: RequestHistory;
  /** The keys of the API and of agents: never shown. */
  readonly keys: readonly string[];
  /** The key of simulated agents. */
  readonly agentKey: string | undefined;
  readonly controlPlane: ControlPlane;
  readonly inspection: Inspection;
  readonly usage: UsageReader;
  readonly dialect: Dialect;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
