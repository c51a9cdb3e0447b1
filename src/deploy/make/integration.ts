import type { PlatformContext } from "../../context.ts";
import { Failure, undefinedIf } from "../../errors.ts";
import { isUnsupported } from "../../http/request-error.ts";
import type { Integration } from "../../platform/platform.ts";
import { isSameRepository } from "../../platform/same-repository.ts";
import { code, inputName, listOf, type Message, phrase, text } from "../../text/message.ts";

/** Returns the id of the one integration that covers a repository. @throws Failure if there is none or there are several */
export async function requireIntegration(context: PlatformContext, repoUrl: string): Promise<string> {
  const integrations = await readIntegrations(context);
  const covering = integrations.filter(({ repositories }) =>
    repositories.some((url) => isSameRepository(url, repoUrl)),
  );
  const [only, ...others] = covering;
  if (only !== undefined && others.length === 0) return only.id;
  if (others.length > 0) {
    throw new Failure(text`Several integrations cover ${code(repoUrl)}: ${integrationNames(covering)}.`, {
      hint: text`Set ${inputName("integration_id")} to the one to use.`,
    });
  }
  const all = integrations.length === 0 ? undefined : text` Found: ${integrationNames(integrations)}.`;
  throw new Failure(text`No integration of the workspace can read ${code(repoUrl)}.${all}`, {
    hint: text`Install the platform's GitHub integration for this repository, set ${inputName("integration_id")}, or set ${code("source_path: .")} to upload the files.`,
  });
}

/** Returns an empty list if the control plane does not list its integrations. */
async function readIntegrations({
  settings,
  controlPlane,
}: PlatformContext): Promise<readonly Integration[]> {
  const { listIntegrations } = settings.platform;
  if (listIntegrations === undefined) return [];
  return (await undefinedIf(() => listIntegrations(controlPlane.api), isUnsupported)) ?? [];
}

function integrationNames(integrations: readonly Integration[]): Message {
  return listOf(
    integrations.map(({ id, name }) => (name === "" ? code(id) : phrase`${code(name)} (${code(id)})`)),
  );
}
