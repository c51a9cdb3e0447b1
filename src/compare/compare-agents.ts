import { type Result, toResult } from "../errors.ts";
import { joined, type Message, text } from "../text/message.ts";
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
  /** What could not be read, as sentences. */
  readonly gaps: readonly Message[];
  /** Whether none of the waiting threads could be read. */
  readonly isBlind: boolean;
}

/** Reads what an agent serves, and its waiting threads. @throws Failure if the graphs can't be read */
export async function readServed(reader: AgentReader): Promise<Served> {
  const contract = await readContract(reader);
  return { contract, threads: await toResult(() => readThreads(reader), reader.cancelled) };
}

export function compareServed({ contract, threads }: Served, after: Contract): Comparison {
  const parts = unreadParts(contract, after);
  if ("value" in threads) {
    const { threads: waiting, gaps } = threads.value;
    return { changes: compareContracts(contract, after, waiting), gaps: [...gaps, ...parts], isBlind: false };
  }
  const { message, hint } = threads.error.ending;
  const unread = joined([text`The waiting threads could not be read.`, message, hint]);
  return { changes: compareContracts(contract, after, []), gaps: [unread, ...parts], isBlind: true };
}
