import { type Place, toResult } from "../errors.ts";
import { type Message, rawText, text } from "../text/message.ts";
import type { RunRedactor } from "../text/run-redactor.ts";
import { Renderer } from "./renderer.ts";
import { maxLineLength, type StepLog } from "./runner/step-log.ts";

/** How many earlier lines of a stream are searched again, because a secret may continue in the next ones. */
const maxContextLines = 100;

/** Prints messages and lines from outside in the job's log, without secrets. */
export class MessageLog {
  readonly render: Renderer;
  readonly #log: StepLog;
  readonly #redact: RunRedactor;
  readonly #shownHints = new Set<string>();

  constructor(log: StepLog, redact: RunRedactor) {
    this.#log = log;
    this.#redact = redact;
    this.render = new Renderer(redact);
  }

  /** Shown only with step debugging. */
  debug(message: Message): void {
    this.#log.debug(this.render.plain(message));
  }

  info(message: Message): void {
    this.#log.info(this.render.plain(message));
  }

  notice(message: Message): void {
    this.#log.notice(this.render.plain(message));
  }

  warning(message: Message): void {
    this.#log.warning(this.render.plain(message));
  }

  /**
   * Makes optional requests. A failure is logged as a warning, once for each hint.
   *
   * @throws CancelledError if `call` does
   */
  async warnOnFailure<T>(call: () => Promise<T>): Promise<T | undefined> {
    const result = await toResult(call);
    if (result.error === undefined) return result.value;
    const { message, hint } = result.error.ending;
    if (this.#shownHints.has(rawText(hint))) this.info(message);
    else this.warning(text`${message} ${hint} This does not change the outcome of the step.`);
    this.#shownHints.add(rawText(hint));
    return undefined;
  }

  error(
    message: Message,
    { title, place }: { readonly title: Message; readonly place?: Place | undefined },
  ): void {
    this.#log.error(this.render.plain(message), {
      title: this.render.plain(title),
      ...(place && { file: this.render.redactIdentifier(place.path) }),
      ...(place?.line !== undefined && { startLine: place.line }),
    });
  }

  /** Prints lines from outside in a collapsible group. */
  group(title: Message, lines: readonly string[]): void {
    this.#log.group(this.render.plain(title));
    for (const line of this.render.lines(lines, maxLineLength)) this.#log.info(line);
    this.#log.endGroup();
  }

  /** Prints a log from outside while it grows. After `closeGroup`, the next lines open another collapsible group. */
  stream(title: Message) {
    let context: readonly string[] = [];
    let isOpen = false;
    return {
      /** Prints the next lines, which must not contain line ends. */
      add: (lines: readonly string[]) => {
        const window = [...context, ...lines];
        const rendered = this.render.lines(window, maxLineLength).slice(context.length);
        const printable = rendered.filter((line) => line.trim() !== "");
        context = window.slice(-maxContextLines);
        if (printable.length > 0 && !isOpen) this.#log.group(this.render.plain(title));
        isOpen ||= printable.length > 0;
        for (const line of printable) this.#log.info(line);
      },
      closeGroup: () => {
        if (isOpen) this.#log.endGroup();
        isOpen = false;
      },
    };
  }

  /** Hides credentials from now on, in the log and everywhere else. */
  mask(secrets: readonly string[]): void {
    for (const secret of new Set(secrets)) this.#log.mask(secret);
    this.#redact.addCredentials(secrets);
  }

  /** Redacts values in texts from now on. The runner does not mask them. */
  redactInTexts(values: readonly string[]): void {
    this.#redact.addTextSecrets(values);
  }
}
