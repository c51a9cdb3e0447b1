import type { PlatformContext } from "../context.ts";
import type { DeployOptions } from "../deploy/deploy-context.ts";
import { type DeployPlan, describeContent } from "../deploy/plan/plan.ts";
import type { Report } from "../report/report.ts";
import type { SourceArchive } from "../source/archive.ts";
import { packSource } from "../source/pack-source.ts";
import { code, phrase, text } from "../text/message.ts";

export function announcePlan(plan: DeployPlan, report: Report): void {
  const contentLabel = describeContent(plan);
  report.set({ contentLabel });
  const { target } = plan;
  const content = contentLabel ?? phrase`its current source`;
  report.info(
    target.kind === "id"
      ? text`To deploy: ${content}, to deployment ${code(target.id)}.`
      : text`To deploy: ${content}, as ${code(target.name)} (created if it does not exist).`,
  );
}

/** Packs the folder to upload; undefined if the plan has none. @throws Failure if it can't be deployed */
export async function packIfPlanned(
  context: PlatformContext,
  { desired: { upload, secrets, envVars } }: DeployPlan,
  { checks }: DeployOptions,
): Promise<SourceArchive | undefined> {
  if (upload === undefined) return undefined;
  const { reservedNames } = context.settings.platform;
  const config = {
    path: upload.configPath,
    testedGraphs: checks.smokeTests.flatMap(({ run }) => run?.graph ?? []),
    hasBuildCommand: upload.buildCommand !== undefined,
    variables: [...reservedNames, ...[...secrets, ...envVars].map(({ name }) => name)],
  };
  return await packSource(upload.path, config, context);
}
