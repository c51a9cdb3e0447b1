import type { Agent } from "../agent/agent-client.ts";
import { AgentReader, maxReadingMs, type ReadingContext } from "../compare/agent-reader.ts";
import { compareAgents } from "../compare/compare-agents.ts";
import type { Served } from "../compare/comparison.ts";
import type { ContractChange } from "../compare/contract-change.ts";
import { code, input, type Message, text } from "../text/message.ts";
import { askAgent, type Check, type CheckOutcome } from "./check.ts";

/** What a new revision is compared with. */
export interface Compared {
  readonly url: string | undefined;
  /** What is served there. @throws Failure if that can't be read */
  readonly read: () => Promise<Served>;
}

interface ComparisonOptions {
  /** The input `compare_with`. */
  readonly target: string;
  /** Whether a breaking change, and what can't be read at all, fails the run. */
  readonly isGate: boolean;
  /** Undefined if there is nothing to compare with. */
  readonly compared: Compared | undefined;
}

interface ComparisonContext extends ReadingContext {
  readonly report: {
    info(message: Message): void;
    warning(message: Message): void;
    compared(comparison: {
      readonly target: string;
      readonly url: string | undefined;
      readonly changes: readonly ContractChange[];
    }): void;
  };
}

/** Compares what the new revision serves with something else (docs/specification.md#comparing-deployments). */
export function comparison(
  context: ComparisonContext,
  agent: Agent,
  { target, isGate, compared }: ComparisonOptions,
): Check {
  const { report, cancelled } = context;
  const perform = async (): Promise<CheckOutcome> => {
    if (compared === undefined) {
      report.compared({ target, url: undefined, changes: [] });
      return { skipped: text`nothing to compare with` };
    }
    return await askAgent(agent, input("compare_with"), async (client) => {
      const readerAfter = () => new AgentReader(client, context, maxReadingMs.newRevision);
      const { changes, ...finding } = await compareAgents(compared.read, readerAfter, isGate, cancelled);
      report.compared({ target, url: compared.url, changes });
      if (finding.warns) report.warning(text`Comparison with ${code(target, 100)}: ${finding.what}.`);
      return finding;
    });
  };
  return { kind: "comparison", name: target, wakes: compared !== undefined, perform };
}
