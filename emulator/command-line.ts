/** The command line's options (contract, 9; `--misbehave` and `--verbose` are described in the README here). */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { type Integration, SAMPLE_INTEGRATION } from "./langsmith/integrations.ts";
import { type RuleInput, RulesFileSchema } from "./misbehave/rules.ts";
import type { EmulatorOptions } from "./options.ts";
import { emulatedPlatforms, type PlatformName } from "./platform.ts";

/** The command line is wrong; the message says what to change. */
export class OptionError extends Error {}

export const USAGE = `usage: npm run emulator -- [--host 127.0.0.1] [--port 8124] [--data FILE] [--status-seconds S]
    [--api-key KEY] [--workspace-id ID] [--fail-ref REF=STATUS]... [--usage FILE.jsonl]
    [--misbehave FILE.json] [--verbose]
    [--platform standard|langsmith] [--commit REF=SHA]... [--repository [INTEGRATION_ID=]URL]...
    [--unhealthy-ref REF]... [--help]`;

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
  misbehave: { type: "string" },
  platform: { type: "string", default: "standard" },
  commit: { type: "string", multiple: true },
  repository: { type: "string", multiple: true },
  "unhealthy-ref": { type: "string", multiple: true },
  help: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
} as const;

/**
 * Reads the command line.
 * @param args what follows the script's name
 * @throws {OptionError}
 */
export function readCommandLine(args: string[]): CommandLine {
  const values = parse(args);
  for (const [name, value] of Object.entries(values)) {
    if ([value].flat().includes("")) throw new OptionError(`--${name} must not be empty`);
  }
  return {
    verbose: values.verbose,
    help: values.help,
    emulator: {
      host: values.host,
      port: portOf(values.port),
      dataFile: values.data,
      usageFile: values.usage,
      sampleUsage: values.usage === undefined,
      statusSeconds: secondsOf(values["status-seconds"]),
      platform: platformOf(values.platform),
      commits: Object.fromEntries((values.commit ?? []).map(commitOf)),
      ...(values.repository !== undefined && { integrations: integrationsOf(values.repository) }),
      unhealthyRefs: values["unhealthy-ref"] ?? [],
      failRefs: Object.fromEntries((values["fail-ref"] ?? []).map(failRefOf)),
      misbehave: values.misbehave === undefined ? [] : rulesIn(values.misbehave),
      ...(values["api-key"] !== undefined && { apiKey: values["api-key"] }),
      ...(values["workspace-id"] !== undefined && { workspaceId: values["workspace-id"] }),
    },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, strict: true }).values;
  } catch (cause) {
    throw new OptionError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port;
  throw new OptionError(`--port has to be a number from 0 to 65535, not '${text}'`);
}

function secondsOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new OptionError(`--status-seconds has to be a number of seconds, 0 or more, not '${text}'`);
}

function failRefOf(text: string): [string, string] {
  // A ref may hold an equals sign, a status never does.
  const [, ref, status] = /^(.+)=([A-Z][A-Z_]*)$/s.exec(text) ?? [];
  if (ref !== undefined && status !== undefined) return [ref, status];
  throw new OptionError(`--fail-ref has to be REF=STATUS, as in broken=BUILD_FAILED, not '${text}'`);
}

function platformOf(text: string): PlatformName {
  const names = Object.keys(emulatedPlatforms);
  if (isPlatform(text)) return text;
  throw new OptionError(`--platform has to be ${names.join(" or ")}, not '${text}'`);
}

function isPlatform(text: string): text is PlatformName {
  return Object.hasOwn(emulatedPlatforms, text);
}

function commitOf(text: string): [string, string] {
  const [, ref, sha] = /^(.+)=([0-9a-f]{40})$/s.exec(text) ?? [];
  if (ref !== undefined && sha !== undefined) return [ref, sha];
  throw new OptionError(`--commit has to be REF=SHA with the 40 digits of a commit, not '${text}'`);
}

/** Repositories given without an integration belong to the sample's. */
function integrationsOf(texts: readonly string[]): Integration[] {
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

function rulesIn(file: string): RuleInput[] {
  try {
    return v.parse(RulesFileSchema, readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof v.ValiError ? ruleComplaint(cause) : String(cause);
    throw new OptionError(`--misbehave ${file} cannot be used: ${reason}`, { cause });
  }
}

function ruleComplaint({ issues: [issue] }: v.ValiError<typeof RulesFileSchema>): string {
  const place = v.getDotPath(issue);
  return place === null ? issue.message : `${place}: ${issue.message}`;
}
