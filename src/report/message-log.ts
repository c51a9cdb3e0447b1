import type { Place } from "../errors.ts";
import { type ComparisonResult, keepsContract } from "../results/comparison.ts";
import type { CheckResult } from "../results/watch.ts";
import { code, joined, type Message, text, word } from "../text/message.ts";
import type { RunRedactor } from "../text/redact.ts";
import type { ComparisonFacts, FailureLog, LogLine } from "./facts.ts";
import { LogStream } from "./log-stream.ts";
import { Renderer } from "./renderer.ts";
import type { Log } from "./runner/log.ts";
import { checkSentence, evidenceLines } from "./sentences/checks.ts";
import { comparedName, comparisonWarnings, summarizeComparison, threadsOf } from "./sentences/comparison.ts";
import { describeContractChange, markOf } from "./sentences/contract-changes.ts";

export interface ReportLogParts {
  readonly log: Log;
  readonly redact: RunRedactor;
}

const maxLineLength = 2000;
const maxChanges = 1000;
/** How many lines the end of a log has. */
export const maxEndLines = 50;

/** Prints messages and lines from outside in the job's log, without secrets. */
export class ReportLog {
  readonly render: Renderer;
  readonly #parts: ReportLogParts;

  constructor(parts: ReportLogParts) {
    this.#parts = parts;
    this.render = new Renderer(parts.redact);
  }

  info(message: Message): void {
    this.#parts.log.info(this.render.plain(message));
  }

  notice(message: Message): void {
    this.#parts.log.notice(this.render.plain(message));
  }

  warning(message: Message): void {
    this.#parts.log.warning(this.render.plain(message));
  }

  /** An error annotation. `place`: the file that it is about. */
  error(
    message: Message,
    { title, place }: { readonly title: Message; readonly place?: Place | undefined },
  ): void {
    const { render } = this;
    this.#parts.log.error(render.plain(message), {
      title: render.plain(title),
      ...(place && render.place(place)),
    });
  }

  /** Lines from outside in a collapsible group. */
  group(title: Message, lines: readonly string[]): void {
    this.#group(title, this.render.lines(lines, maxLineLength));
  }

  /** `lines`: as they are printed. */
  #group(title: Message, lines: readonly string[]): void {
    const { log } = this.#parts;
    log.group(this.render.plain(title));
    for (const line of lines) log.info(line);
    log.endGroup();
  }

  /** A log of the platform that is printed while it grows. */
  stream(title: Message): LogStream {
    return new LogStream(title, this.#parts.log, this.render);
  }

  /** Where a bug of this action was thrown. */
  stack({ stack, message }: Error): void {
    this.group(text`Stack of the internal error`, (stack ?? message).split("\n"));
  }

  /** These are credentials from now on: neither the log nor anything else shows them. */
  mask(secrets: readonly string[]): void {
    for (const secret of new Set(secrets)) this.#parts.log.mask(secret);
    this.#parts.redact.add(secrets);
  }

  /** Text shows none of these from now on. An id or a URL may repeat them by chance: see `RunRedactor.addValues`. */
  maskValues(values: readonly string[]): void {
    for (const value of new Set(values)) this.#parts.log.mask(value);
    this.#parts.redact.addValues(values);
  }

  /** The end of a failed build's or deploy's log, without the lines that a stream has `printed`. */
  protected logEnd({ type, lines }: FailureLog, printed: readonly LogLine[]): void {
    const known = new Set(this.render.endOfLog(printed, printed.length, maxLineLength));
    const fresh = this.render.endOfLog(lines, maxEndLines, maxLineLength).filter((line) => !known.has(line));
    if (fresh.length > 0) this.#group(text`End of the ${code(type)} log`, fresh);
  }

  /** What was found, with a line for each change, the breaking ones first. */
  protected logComparison(comparison: ComparisonFacts): void {
    const { target, result } = comparison;
    if (result.kind === "nothing_before") {
      this.notice(text`Nothing was compared, because the deployment served nothing before this run.`);
      return;
    }
    if (keepsContract(result)) {
      this.info(text`Compared with ${comparedName(target)}: ${summarizeComparison(result)}.`);
    }
    this.#logChanges(comparison.target, result);
    for (const warning of comparisonWarnings(comparison)) this.warning(warning);
  }

  #logChanges(target: string, result: Exclude<ComparisonResult, { kind: "nothing_before" }>): void {
    const { changes } = result;
    if (changes.length === 0) return;
    const lines = changes.slice(0, maxChanges).map((change) => {
      const { what, advice } = describeContractChange(change, threadsOf(result));
      return joined([text`${word(markOf(change))} ${what}`, advice]);
    });
    if (changes.length > maxChanges) {
      lines.push(text`${changes.length - maxChanges} more changes are not shown.`);
    }
    this.#group(
      text`Compared with ${comparedName(target)}`,
      lines.map((line) => this.render.plain(line)),
    );
  }

  protected logSmokeTest(result: CheckResult): void {
    this.info(text`${result.passed ? text`✅` : text`❌`} ${checkSentence(result)}`);
    const lines = evidenceLines(result, (message) => this.render.plain(message));
    if (lines.length > 0) this.group(text`What the smoke test sent, expected and received`, lines);
  }
}
