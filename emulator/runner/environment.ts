/** The environment of builds and agents: of the emulator's own only what a program needs. */

import { RunFailure } from "../errors.ts";
import type { Secret } from "../store/deployments.ts";

const NAMES = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"],
]);
/**
 * Settings of programs that install, such as their package index. Not what uv publishes with, and not npm's log level: under
 * `npm run --silent`, a build would not say why npm failed.
 */
const PREFIXES = /^(LC_|NPM_CONFIG_(?!LOGLEVEL$)|COREPACK_|YARN_|PNPM_|BUN_|PIP_|UV_(?!PUBLISH_))/;

/** Nothing of a build or an agent depends on npm's own requests for news. */
const QUIET_NPM = { npm_config_update_notifier: "false", npm_config_fund: "false" };

/** What every program gets. */
export function baseEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(own).filter(([name]) => {
    const upper = name.toUpperCase();
    return NAMES.has(upper) || PREFIXES.test(upper);
  });
  return { ...QUIET_NPM, ...Object.fromEntries(passed) };
}

export interface AgentIdentity {
  readonly secrets: readonly Secret[];
  readonly port: number;
  readonly revisionId: string;
  /** Of the environment that the agent runs in, if it is in Python. */
  readonly python: NodeJS.ProcessEnv;
}

/** What an agent gets: secrets may replace variables of the machine, but not those that say where and what it is. @throws {RunFailure} */
export function agentEnvironment(
  own: NodeJS.ProcessEnv,
  { secrets, port, revisionId, python }: AgentIdentity,
): NodeJS.ProcessEnv {
  const cut = secrets.find(({ value }) => value.includes("\0"));
  if (cut !== undefined) {
    throw new RunFailure(`The secret ${cut.name} has a NUL character, which no environment can hold.`);
  }
  return {
    ...baseEnvironment(own),
    // The vendor's server for local use colors its log otherwise.
    LOG_COLOR: "false",
    ...Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
    ...python,
    PORT: String(port),
    HOST: "127.0.0.1",
    LANGSMITH_HOST_REVISION_ID: revisionId,
    // https://docs.langchain.com/langgraph-platform/cli: the vendor's server sends usage data unless this is set.
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
  };
}
