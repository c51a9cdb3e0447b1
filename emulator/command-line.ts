/** The options of the command line; the README beside this file describes them. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as v from "valibot";
import type { Listener } from "./dialects/dialect.ts";
import { messageOf } from "./errors.ts";
import { type FaultRule, FaultsFileSchema } from "./faults/fault-rule.ts";
import { isLoopback } from "./loopback.ts";
import { dialects, type EmulatorOptions, type PlatformName } from "./options.ts";
import { type Integration, SAMPLE_INTEGRATION } from "./routes/integrations.ts";
import type { RunOptions } from "./runner/settings.ts";

/** The command line is invalid. */
export class OptionError extends Error {}

export const USAGE = `usage: npm run emulator -- [--host 127.0.0.1] [--port 8124] [--data FILE] [--status-seconds S]
    [--api-key KEY] [--workspace-id ID] [--fail-ref REF=STATUS]... [--usage FILE.jsonl]
    [--faults FILE.json] [--verbose] [--no-page]
    [--platform standard|langsmith] [--region us|eu|apac|aws-us] [--commit REF=SHA]...
    [--repository [INTEGRATION_ID=]URL]... [--listener ID=NAMESPACE[,NAMESPACE]]...
    [--unhealthy-ref REF]... [--agent-key KEY] [--help]
    [--run [--work-dir DIR] [--build-command CMD] [--start-command CMD] [--ready-seconds S]]`;

export interface CommandLine {
  readonly emulator: EmulatorOptions;
  readonly verbose: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "8124" },
  data: { type: "string" },
  "status-seconds": { type: "string", default: "1" },
  "api-key": { type: "string" },
  "workspace-id": { type: "string" },
  "fail-ref": { type: "string", multiple: true },
  usage: { type: "string" },
  faults: { type: "string" },
  platform: { type: "string", default: "standard" },
  region: { type: "string" },
  commit: { type: "string", multiple: true },
  repository: { type: "string", multiple: true },
  listener: { type: "string", multiple: true },
  "unhealthy-ref": { type: "string", multiple: true },
  "agent-key": { type: "string" },
  help: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  "no-page": { type: "boolean", default: false },
  run: { type: "boolean", default: false },
  "work-dir": { type: "string" },
  "build-command": { type: "string" },
  "start-command": { type: "string" },
  "ready-seconds": { type: "string" },
} as const;

/**
 * The parsed options.
 * @param args the arguments after the name of the script
 * @throws {OptionError} if they are invalid
 */
export function readCommandLine(args: string[]): CommandLine {
  const values = parse(args);
  for (const [name, value] of Object.entries(values)) {
    if ([value].flat().includes("")) throw new OptionError(`--${name} must not be empty`);
  }
  if (!values.run) refuseRunOptions(values);
  return {
    verbose: values.verbose,
    help: values.help,
    emulator: {
      host: values.host,
      port: parsePort(values.port),
      dataFile: values.data,
      usageFile: values.usage,
      sampleUsage: values.usage === undefined,
      statusSeconds: parseSeconds("status-seconds", values["status-seconds"]),
      platform: parsePlatform(values.platform),
      region: values.region === undefined ? undefined : parseRegion(values.region),
      listeners: (values.listener ?? []).map(parseListener),
      commits: Object.fromEntries((values.commit ?? []).map(parseCommit)),
      ...(values.repository !== undefined && { integrations: groupRepositories(values.repository) }),
      unhealthyRefs: values["unhealthy-ref"] ?? [],
      agentKey: values["agent-key"],
      page: !values["no-page"],
      failRefs: Object.fromEntries((values["fail-ref"] ?? []).map(parseFailRef)),
      faults: values.faults === undefined ? [] : readFaults(values.faults),
      ...(values.run && { run: readRunOptions(values) }),
      ...(values["api-key"] !== undefined && { apiKey: values["api-key"] }),
      ...(values["workspace-id"] !== undefined && { workspaceId: values["workspace-id"] }),
    },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, strict: true }).values;
  } catch (cause) {
    throw new OptionError(messageOf(cause), { cause });
  }
}

type Values = ReturnType<typeof parse>;

const RUN_OPTIONS = ["work-dir", "build-command", "start-command", "ready-seconds"] as const;

function refuseRunOptions(values: Values): void {
  const given = RUN_OPTIONS.find((name) => values[name] !== undefined);
  if (given !== undefined) throw new OptionError(`--${given} needs --run`);
}

function readRunOptions(values: Values): RunOptions {
  const { host, "ready-seconds": readySeconds } = values;
  if (!isLoopback(host)) {
    throw new OptionError(`--host has to be a loopback address with --run, not '${host}'`);
  }
  return {
    workDir: values["work-dir"],
    buildCommand: values["build-command"],
    startCommand: values["start-command"],
    ...(readySeconds !== undefined && { readySeconds: parseSeconds("ready-seconds", readySeconds) }),
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port;
  throw new OptionError(`--port has to be a number from 0 to 65535, not '${text}'`);
}

function parseSeconds(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new OptionError(`--${name} has to be a number of seconds, 0 or more, not '${text}'`);
}

function parseFailRef(text: string): [string, string] {
  // A ref may contain an equals sign, a status never does.
  const [, ref, status] = /^(.+)=([A-Z][A-Z_]*)$/s.exec(text) ?? [];
  if (ref !== undefined && status !== undefined) return [ref, status];
  throw new OptionError(`--fail-ref has to be REF=STATUS, as in broken=BUILD_FAILED, not '${text}'`);
}

function parsePlatform(text: string): PlatformName {
  const names = Object.keys(dialects);
  if (isPlatform(text)) return text;
  throw new OptionError(`--platform has to be ${names.join(" or ")}, not '${text}'`);
}

function isPlatform(text: string): text is PlatformName {
  return Object.hasOwn(dialects, text);
}

const REGIONS = ["us", "eu", "apac", "aws-us"];

function parseRegion(text: string): string {
  if (REGIONS.includes(text)) return text;
  throw new OptionError(`--region has to be ${REGIONS.join(", ")}, not '${text}'`);
}

function parseListener(text: string): Listener {
  const [, id, namespaces] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=([^,]+(?:,[^,]+)*)$/.exec(text) ?? [];
  if (id !== undefined && namespaces !== undefined) return { id, namespaces: namespaces.split(",") };
  throw new OptionError(`--listener has to be ID=NAMESPACE[,NAMESPACE] (a UUID), not '${text}'`);
}

function parseCommit(text: string): [string, string] {
  const [, ref, sha] = /^(.+)=([0-9a-f]{40})$/s.exec(text) ?? [];
  if (ref !== undefined && sha !== undefined) return [ref, sha];
  throw new OptionError(`--commit has to be REF=SHA with the 40 digits of a commit, not '${text}'`);
}

/** Repositories without an integration belong to the sample integration. */
function groupRepositories(texts: readonly string[]): Integration[] {
  const covered = new Map<string, string[]>();
  for (const text of texts) {
    const [, id = SAMPLE_INTEGRATION.id, url = ""] =
      /^(?:([0-9a-f-]{36})=)?(https?:\/\/.+)$/i.exec(text) ?? [];
    if (!URL.canParse(url)) {
      throw new OptionError(`--repository has to be URL or INTEGRATION_ID=URL (a UUID), not '${text}'`);
    }
    covered.set(id, [...(covered.get(id) ?? []), url]);
  }
  return [...covered].map(([id, repositories]) => ({ id, name: ownerOf(repositories), repositories }));
}

function ownerOf([url = ""]: readonly string[]): string {
  return new URL(url).pathname.split("/")[1] ?? "";
}

function readFaults(file: string): FaultRule[] {
  try {
    return v.parse(FaultsFileSchema, readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof v.ValiError ? firstViolation(cause) : String(cause);
    throw new OptionError(`--faults ${file} cannot be used: ${reason}`, { cause });
  }
}

function firstViolation({ issues: [issue] }: v.ValiError<typeof FaultsFileSchema>): string {
  const place = v.getDotPath(issue);
  return place === null ? issue.message : `${place}: ${issue.message}`;
}
