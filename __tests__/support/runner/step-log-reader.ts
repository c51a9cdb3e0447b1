import { type Command, outputLines, parseCommand } from "./command-parser.ts";
import { SecretMasker } from "./secret-masker.ts";
import type { Annotation, AnnotationLevel, LoggedCommand, StepLog, StepLogOptions } from "./step-log.ts";

/** A command is refused: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs */
class CommandRefused extends Error {}

const noMatchers = "The stand-in for the runner has no problem matchers";
const maxAnnotations = 10;
const maxMessageLength = 4_096;
/** Commands that the log does not show even after `::echo::on`. */
const neverEchoed = new Set(["add-mask", "debug", "error", "warning", "notice"]);

/** Reads a step's output line by line, like the runner. */
export class StepLogReader {
  readonly #options: StepLogOptions;
  readonly #masker = new SecretMasker();
  readonly #lines: string[] = [];
  readonly #annotations: Annotation[] = [];
  readonly #masks: string[] = [];
  readonly #groups: { title: string; closed: boolean }[] = [];
  readonly #debug: string[] = [];
  readonly #commands: LoggedCommand[] = [];
  readonly #outputs = new Map<string, string>();
  readonly #state = new Map<string, string>();
  readonly #refused: string[] = [];
  #echo = false;
  #resumeToken: string | undefined;

  readonly #handlers: ReadonlyMap<string, (command: Command, line: string) => void> = new Map(
    Object.entries({
      "add-mask": (command: Command) => this.#addMask(command.data),
      "add-matcher": () => this.#refuse(noMatchers),
      "remove-matcher": () => this.#refuse(noMatchers),
      "add-path": () => this.#refuse("The `add-path` command is disabled"),
      "set-env": () => this.#refuse("The `set-env` command is disabled"),
      "set-output": (command: Command) => this.#outputs.set(this.#nameOf(command), command.data),
      "save-state": (command: Command) => this.#state.set(this.#nameOf(command), command.data),
      "stop-commands": (command: Command, line: string) => this.#stop(command.data, line),
      debug: (command: Command) => this.#addDebug(command.data),
      echo: (command: Command) => this.#setEcho(command.data),
      group: (command: Command) => {
        this.#groups.push({ title: this.#masker.mask(command.data), closed: false });
        this.#show(`##[group]${command.data}`);
      },
      endgroup: () => {
        const open = this.#groups.findLast((group) => !group.closed);
        if (open !== undefined) open.closed = true;
        this.#show("##[endgroup]");
      },
      error: (command: Command) => this.#annotate("error", command.data, command.properties),
      warning: (command: Command) => this.#annotate("warning", command.data, command.properties),
      notice: (command: Command) => this.#annotate("notice", command.data, command.properties),
    }),
  );

  constructor(options: StepLogOptions = {}) {
    this.#options = options;
    for (const secret of options.secrets ?? []) this.#masker.add(secret);
  }

  /** Reads one line of stdout or stderr. */
  read(line: string): void {
    const command = parseCommand(line, (name) => this.#isCommand(name));
    if (command === undefined) {
      this.#noteUnknown(line);
      this.#show(line.replaceAll(/##\[(start-action|end-action)/gu, "##[\\$1"));
    } else if (this.#resumeToken !== undefined) {
      this.#readWhileStopped(line, command, this.#resumeToken);
    } else {
      this.#commands.push({ ...command, effect: "run" });
      this.#run(line, command);
    }
  }

  /** What has been read so far. */
  log(): StepLog {
    return {
      lines: [...this.#lines],
      annotations: [...this.#annotations],
      masks: [...this.#masks],
      groups: this.#groups.map((group) => ({ ...group })),
      debug: [...this.#debug],
      commands: [...this.#commands],
      outputs: Object.fromEntries(this.#outputs),
      state: Object.fromEntries(this.#state),
      refused: [...this.#refused],
      masked: (text) =>
        outputLines(text)
          .map((line) => this.#masker.mask(line))
          .join("\n"),
      hides: (text) => this.#masker.mask(text) !== text,
    };
  }

  #isCommand(name: string): boolean {
    return sameName(name, this.#resumeToken) || this.#handlers.has(name.toLowerCase());
  }

  #readWhileStopped(line: string, command: Command, token: string): void {
    if (sameName(command.name, token)) {
      this.#resumeToken = undefined;
      this.#commands.push({ ...command, effect: "run" });
    } else {
      this.#commands.push({ ...command, effect: "stopped" });
    }
    this.#show(line);
  }

  #noteUnknown(line: string): void {
    const command = parseCommand(line, () => true);
    if (command !== undefined) this.#commands.push({ ...command, effect: "unknown" });
  }

  #run(line: string, command: Command): void {
    const name = command.name.toLowerCase();
    const echoed = !neverEchoed.has(name);
    if (this.#echo && echoed) this.#show(line);
    try {
      this.#handlers.get(name)?.(command, line);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      this.#refused.push(`${line}: ${error.message}`);
      this.#annotate("error", `Unable to process command '${echoed ? line : name}' successfully.`);
      this.#annotate("error", error.message);
    }
  }

  #refuse(message: string): never {
    throw new CommandRefused(message);
  }

  #nameOf(command: Command): string {
    const found = Object.entries(command.properties).find(([key]) => sameName(key, "name"))?.[1];
    return found || this.#refuse(`Required field 'name' is missing in ##[${command.name}] command.`);
  }

  #addMask(value: string): void {
    if (value.trim() === "") {
      this.#annotate("warning", "Can't add secret mask for empty string in ##[add-mask] command.");
      return;
    }
    if (this.#echo) this.#show("::add-mask::***");
    const lines = value.split(/[\r\n]/u).map((line) => line.trim());
    for (const mask of new Set([value, ...lines.filter((line) => line !== "")])) {
      this.#masks.push(mask);
      this.#masker.add(mask);
    }
  }

  #stop(token: string, line: string): void {
    if (token === "" || sameName(token, "pause-logging") || this.#isCommand(token)) {
      this.#refuse("The stop-commands token is not allowed");
    }
    this.#resumeToken = token;
    if (token.length > 6) this.#masker.add(token);
    this.#show(line);
  }

  #setEcho(value: string): void {
    const wanted = value.trim().toUpperCase();
    if (wanted !== "ON" && wanted !== "OFF") {
      this.#refuse("Invalid echo command value");
    }
    this.#echo = wanted === "ON";
  }

  #addDebug(message: string): void {
    this.#debug.push(this.#masker.mask(message));
    if (this.#options.debug === true) this.#show(`##[debug]${message}`);
  }

  #annotate(level: AnnotationLevel, text: string, properties: Readonly<Record<string, string>> = {}): void {
    const message = this.#masker.mask(text).slice(0, maxMessageLength);
    const kept = this.#annotations.filter((each) => each.level === level).length < maxAnnotations;
    this.#annotations.push({ level, message, kept, ...placeOf(properties) });
    if (message !== "") this.#show(`##[${level}]${message}`);
  }

  /** Masks the text as a whole, like the runner, and then cuts it into lines. */
  #show(text: string): void {
    this.#lines.push(...this.#masker.mask(text).split(/\r\n|\n|\r/u));
  }
}

const placeKeys = [
  ["title", "title"],
  ["file", "file"],
  ["line", "line"],
  ["endLine", "endline"],
  ["column", "col"],
  ["endColumn", "endcolumn"],
] as const;

function placeOf(
  properties: Readonly<Record<string, string>>,
): Partial<Omit<Annotation, "level" | "message">> {
  const lower = new Map(Object.entries(properties).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.fromEntries(
    placeKeys.flatMap(([key, property]) => {
      const value = lower.get(property);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function sameName(one: string, other: string | undefined): boolean {
  return one.toUpperCase() === other?.toUpperCase();
}

/** Reads a complete output. */
export function readStepLog(output: string, options: StepLogOptions = {}): StepLog {
  const reader = new StepLogReader(options);
  for (const line of outputLines(output)) reader.read(line);
  return reader.log();
}
