/** What the demo deploys, and to which control plane. */
export interface Target {
  readonly controlPlaneUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly integrationId: string;
  readonly repoUrl: string;
  readonly repoRef: string;
  readonly appConfigPath: string;
}

const variables = {
  controlPlaneUrl: "CONTROL_PLANE_URL",
  apiKey: "API_KEY",
  workspaceId: "WORKSPACE_ID",
  integrationId: "INTEGRATION_ID",
  repoUrl: "REPO_URL",
  repoRef: "REPO_REF",
  appConfigPath: "APP_CONFIG_PATH",
} as const satisfies Record<keyof Target, string>;

/** The target in the environment; null if no variable is set. @throws if only some are, naming those that are missing. */
export function targetFrom(env: Readonly<Record<string, string | undefined>>): Target | null {
  const names = Object.values(variables);
  const missing = names.filter((name) => !env[name]);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    const set = names.filter((name) => !missing.includes(name));
    throw new Error(
      `Set: ${set.join(", ")}; missing: ${missing.join(", ")}. Set all of them to deploy to your own control plane, or none to use the emulator.`,
    );
  }
  const value = (name: string) => env[name] ?? "";
  return {
    controlPlaneUrl: value(variables.controlPlaneUrl),
    apiKey: value(variables.apiKey),
    workspaceId: value(variables.workspaceId),
    integrationId: value(variables.integrationId),
    repoUrl: value(variables.repoUrl),
    repoRef: value(variables.repoRef),
    appConfigPath: value(variables.appConfigPath),
  };
}
