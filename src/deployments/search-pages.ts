import { minPageSize } from "../platform/control-plane.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { PlatformContext } from "../platform-context.ts";

/**
 * Returns the listed deployments that match. `name`: a part of their names. A list is searched twice before none counts as
 * found, unless it is so short that it has one page: if a deployment is deleted meanwhile, those after it move to a page that
 * was read before.
 */
export async function searchPages(
  controlPlane: PlatformContext["controlPlane"],
  name: string,
  isMatch: (listed: Deployment) => boolean,
): Promise<readonly Deployment[]> {
  // By their IDs: two pages may show the same deployment if the list grows meanwhile.
  const matches = new Map<string, Deployment>();
  let count = 0;
  const search = async () => {
    for await (const page of controlPlane.deploymentPages(name)) {
      count += page.length;
      for (const listed of page) if (isMatch(listed)) matches.set(listed.id, listed);
    }
  };
  await search();
  if (matches.size === 0 && count >= minPageSize) await search();
  return [...matches.values()];
}
