import { repositoryUrl, type WorkflowRun } from "../workflow-run.ts";

/** Whether two URLs name the same repository: they have the same host and path, ignoring case. */
export function isSameRepository(a: string, b: string): boolean {
  return hostAndPath(a) === hostAndPath(b);
}

export function isRepositoryOfRun(url: string | undefined, run: WorkflowRun): boolean {
  const ofRun = repositoryUrl(run);
  return url !== undefined && ofRun !== undefined && isSameRepository(url, ofRun);
}

/**
 * Returns host and path of a repository's URL in any form that Git takes (https://git-scm.com/docs/git-clone#_git_urls),
 * without credentials, `www.`, port, query, fragment and a final `.git`.
 */
function hostAndPath(url: string): string {
  const [address = ""] = url.trim().toLowerCase().split(/[?#]/);
  const parts =
    /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/]*@)?(?<host>[^:/]*)(?::\d+)?|(?:[^/]*@)?(?<scpHost>[^:/]*):?)(?<path>.*)$/.exec(
      address,
    );
  const { host, scpHost, path = "" } = parts?.groups ?? {};
  const segments = path.split("/").filter((segment) => segment !== "");
  return [(host ?? scpHost ?? "").replace(/^www\./, ""), ...segments].join("/").replace(/\.git$/, "");
}
