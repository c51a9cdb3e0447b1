import type { Failure, Result } from "../errors.ts";
import { toResult } from "../errors.ts";
import { count, type Message, text } from "../text/message.ts";
import type { AgentReader } from "./agent-reader.ts";
import { compareContracts, unreadParts } from "./compare-contracts.ts";
import type { ContractChange } from "./contract-change.ts";
import { type Contract, readContract } from "./read-contract.ts";
import { readThreads, type WaitingThreads } from "./read-threads.ts";

/** What an agent serves, and which threads wait on it. */
export interface Served {
  readonly contract: Contract;
  readonly threads: Result<WaitingThreads>;
}

/** What differs between two agents, as far as they could be read. */
export interface Comparison {
  /** The breaking ones first. */
  readonly changes: readonly ContractChange[];
  /** What could be read only in part, as sentences. */
  readonly gaps: readonly Message[];
  /** Why none of the waiting threads could be read. */
  readonly blind: Failure | undefined;
}

/** @throws Failure if the graphs can't be read */
export async function readServed(reader: AgentReader): Promise<Served> {
  const contract = await readContract(reader);
  return { contract, threads: await toResult(() => readThreads(reader), reader.cancelled) };
}

export function compareServed({ contract, threads }: Served, after: Contract): Comparison {
  const waiting = "value" in threads ? threads.value : { threads: [], total: 0 };
  return {
    changes: compareContracts(contract, after, waiting.threads),
    gaps: [...unreadThreads(waiting), ...unreadParts(contract, after)],
    blind: "error" in threads ? threads.error : undefined,
  };
}

function unreadThreads({ threads: { length: read }, total }: WaitingThreads): Message[] {
  if (read === total) return [];
  const number = total === undefined ? text`only ${count(read)}` : text`${count(read)} of ${count(total)}`;
  const noun = total === 1 || (total === undefined && read === 1) ? text`thread` : text`threads`;
  return [text`Read ${number} waiting ${noun}. Others may be waiting at a node that was removed.`];
}
