import type { DeployOptions } from "../deploy/deploy-context.ts";
import { withoutRoot } from "../platform/compare-content.ts";
import type { ControlPlaneSettings } from "../platform/control-plane-settings.ts";
import { type DesiredDeployment, sourceKinds } from "../platform/desired-deployment.ts";
import { notSupported, type Platform } from "../platform/platform.ts";
import type { SourceUpload } from "../platform/source-upload.ts";
import type { InputName } from "../text/input-names.ts";
import { code, inputName, type Phrase, phrase, quote } from "../text/message.ts";
import { type BreakingChanges, readCompare } from "./read-checks.ts";
import { readRevisionOptions } from "./read-revision-options.ts";
import type { InputReader } from "./reader.ts";
import { readAllVariables } from "./variables.ts";

export type DeployInputs = Readonly<ReturnType<typeof readDeployInputs>>;

/** Reads the inputs of a deploy. `breakingChanges`: the default of `breaking_changes`. */
export function readDeployInputs(
  reader: InputReader,
  controlPlane: ControlPlaneSettings,
  breakingChanges: BreakingChanges,
) {
  const given = readGiven(reader, controlPlane.platform);
  return {
    settings: { ...controlPlane, publicValues: given.envVars.map(({ value }) => value) },
    given,
    options: readOptions(reader, controlPlane.platform, given, breakingChanges),
  };
}

function readGiven(reader: InputReader, platform: Platform): DesiredDeployment {
  const upload = readUpload(reader, platform);
  return {
    sourceKind: readSourceKind(reader),
    upload,
    integrationId: reader.optional("integration_id"),
    listenerId: reader.optional("listener_id"),
    k8sNamespace: reader.optional("k8s_namespace"),
    repoUrl: reader.optional("repo_url"),
    deploymentType: reader.optional("deployment_type"),
    buildOnPush: reader.boolean("build_on_push"),
    customUrl: reader.optional("custom_url"),
    resourceSpec: reader.jsonObject("resource_spec"),
    content: {
      repoRef: readRef(reader),
      appConfigPath: upload?.configPath ?? reader.optional("app_config_path"),
      imageUri: reader.optional("image_uri"),
    },
    ...readAllVariables(reader),
  };
}

export function readSourceKind(reader: InputReader): string | undefined {
  return reader.optional("source_path") === undefined ? reader.optional("source") : sourceKinds.upload;
}

/** Platforms accept a branch only without `refs/heads/`. */
function readRef(reader: InputReader): string | undefined {
  const ref = reader.optional("repo_ref")?.replace(/^refs\/heads\/(?=.)/, "");
  if (ref?.startsWith("refs/") && !/^refs\/tags\/./.test(ref)) {
    reader.reject(
      "repo_ref",
      phrase`must be a branch name or ${code("refs/tags/NAME")}, not ${quote(ref, 200)}`,
    );
  }
  return ref;
}

function readOptions(
  reader: InputReader,
  platform: Platform,
  { upload }: DesiredDeployment,
  breakingChanges: BreakingChanges,
): DeployOptions {
  const options: DeployOptions = {
    ...readRevisionOptions(reader),
    buildLog: reader.oneOf("build_log", ["failure", "live", "off"], "failure"),
    // An upload has the files of this run, and no commit that the platform could have built instead.
    verifyCommit: (reader.boolean("verify_commit") ?? false) && upload === undefined,
    compare: readCompare(reader, "compare_with", breakingChanges),
    interruptOnCancel: reader.oneOf("on_cancel", ["leave", "interrupt"], "leave") === "interrupt",
    dryRun: reader.boolean("dry_run") ?? false,
    onlyIfChanged: reader.boolean("only_if_changed") ?? false,
    rollbackOnFailure: reader.boolean("rollback_on_failure") ?? false,
  };
  if (options.buildLog === "live" && platform.openLog === undefined) {
    reader.addProblem(notSupported("build_log"));
  }
  if (options.rollbackOnFailure && platform.rollbackWarning !== undefined) {
    reader.addNote("warning", platform.rollbackWarning);
  }
  return options;
}

/** Reads the folder to upload instead of a ref; undefined without `source_path`. Rejects inputs that contradict it. */
function readUpload(reader: InputReader, { uploads }: Platform): SourceUpload | undefined {
  const path = reader.optional("source_path");
  const rejectSet = (names: readonly InputName[], problem: Phrase) => {
    for (const name of names) if (reader.optional(name) !== undefined) reader.reject(name, problem);
  };
  const sourcePath = inputName("source_path");
  if (path === undefined) {
    const problemWithoutPath = phrase`needs ${sourcePath}: the platform accepts it only for uploads`;
    rejectSet(["install_command", "build_command"], problemWithoutPath);
    if (reader.optional("source") === sourceKinds.upload) reader.required("source_path");
    return undefined;
  }
  if (uploads === undefined) {
    reader.addProblem(notSupported("source_path"));
    return undefined;
  }
  rejectSet(
    ["repo_ref", "repo_url", "image_uri", "integration_id", "listener_id", "k8s_namespace"],
    phrase`must not be set together with ${sourcePath}, which deploys the files of a folder`,
  );
  if ((reader.optional("source") ?? sourceKinds.upload) !== sourceKinds.upload) {
    reader.reject("source", phrase`must be ${code(sourceKinds.upload)} or left out with ${sourcePath}`);
  }
  const configPath = reader.optional("app_config_path") ?? uploads.defaultConfigPath;
  return {
    path,
    // Paths in an archive have no leading `/` or `./`.
    configPath: withoutRoot(configPath),
    createAddress: uploads.createAddress,
    installCommand: reader.optional("install_command"),
    buildCommand: reader.optional("build_command"),
  };
}
