import type { Place } from "../errors.ts";
import type { Message } from "../text/message.ts";
import type { RunRedactor } from "../text/redact.ts";
import { LogStream } from "./log-stream.ts";
import { Renderer } from "./renderer.ts";
import { maxLineLength, type StepLog } from "./runner/step-log.ts";

/** Prints messages and lines from outside in the job's log, without secrets. */
export class MessageLog {
  readonly render: Renderer;
  readonly #log: StepLog;
  readonly #redact: RunRedactor;

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

  error(
    message: Message,
    { title, place }: { readonly title: Message; readonly place?: Place | undefined },
  ): void {
    this.#log.error(this.render.plain(message), {
      title: this.render.plain(title),
      ...(place && { file: this.render.forPrograms(place.path) }),
      ...(place?.line !== undefined && { startLine: place.line }),
    });
  }

  /** Prints lines from outside in a collapsible group. */
  group(title: Message, lines: readonly string[]): void {
    this.#log.group(this.render.plain(title));
    for (const line of this.render.lines(lines, maxLineLength)) this.#log.info(line);
    this.#log.endGroup();
  }

  stream(title: Message): LogStream {
    return new LogStream(title, this.#log, this.render);
  }

  /** Hides credentials from now on, in the log and everywhere else. */
  mask(secrets: readonly string[]): void {
    for (const secret of new Set(secrets)) this.#log.mask(secret);
    this.#redact.add(secrets);
  }

  /** Redacts values in texts from now on. The runner does not mask them. */
  addSecretsForPeople(values: readonly string[]): void {
    this.#redact.addForPeople(values);
  }
}
