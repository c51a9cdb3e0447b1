import type { Context } from "../context.ts";
import type { Ending } from "../ending.ts";
import type { RunContext, RunEvent } from "../events.ts";
import { cut, initialState, nextState, type RunState, stateRedactor } from "./run-state.ts";

/**
 * Reports a run: log, outputs, summary, GitHub's record, comment. State and ending hold no secrets. An event may, so texts
 * are taken from the state.
 */
export interface Observer {
  /** Returns at once: whoever has to wait for somebody does that beside the run. */
  onEvent?(event: RunEvent, state: RunState): void;
  /** The ending is known but not yet reported: the moment to keep what a killed step needs. */
  beforeEnd?(state: RunState, ending: Ending): void;
  onEnd?(state: RunState, ending: Ending): Promise<void> | void;
}

/** The context of an action, which decides who reports its run. */
export interface ActionContext extends RunContext {
  readonly observe: (...observers: readonly Observer[]) => void;
}

/** Folds the events of a run into its state and passes both to the observers, one after the other. */
export class RunReport {
  readonly #observers: Observer[] = [];
  readonly #context: Context;
  readonly #redactState: (state: RunState) => RunState;
  #state: RunState;

  constructor(context: Context) {
    this.#context = context;
    this.#redactState = stateRedactor(context.redact);
    this.#state = initialState(context.clock.now());
  }

  /** What is known now. */
  get state(): RunState {
    return this.#state;
  }

  get hasObservers(): boolean {
    return this.#observers.length > 0;
  }

  observe(...observers: readonly Observer[]): void {
    this.#observers.push(...observers);
  }

  async emit(event: RunEvent): Promise<void> {
    this.#state = nextState(this.#state, event);
    const state = this.#redactState(this.#state);
    for (const observer of this.#observers) observer.onEvent?.(event, state);
  }

  /** @throws the first error of an observer, once all of them were called. */
  async end(ending: Ending): Promise<void> {
    const redacted = this.#redactEnding(ending);
    const state = this.#redactState(this.#state);
    for (const observer of this.#observers) observer.beforeEnd?.(state, redacted);
    const failures: unknown[] = [];
    for (const observer of this.#observers) {
      try {
        await observer.onEnd?.(state, redacted);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #redactEnding({ outcome, headline, details = [], hint, findings = [] }: Ending): Ending {
    const { text, value } = this.#context.redact;
    const redacted = (one: string) => cut(text(one));
    return {
      outcome,
      headline: redacted(headline),
      details: details.map(redacted),
      // The action's own words: a short value of `secrets` would be found there by chance.
      ...(hint !== undefined && { hint: value(hint) }),
      findings: findings.map(redacted),
    };
  }
}
