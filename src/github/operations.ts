import { Failure, toError } from "../errors.ts";
import { RequestError } from "../http/request-error.ts";
import { isRedirect } from "../http/response.ts";
import { code, inputName, type Message, type Phrase, phrase, quote, text } from "../text/message.ts";

/** The purpose of a request, as messages name it, and the permission that it needs. */
export interface Operation {
  readonly purpose: Phrase;
  readonly permission: string;
}

/** The permissions that the READMEs ask for. With lower ones, a later request of the same run would be refused. */
export const operations = {
  readRecords: { purpose: phrase`read the deployment records`, permission: "deployments: write" },
  writeRecord: { purpose: phrase`record the deployment`, permission: "deployments: write" },
  writeStatus: { purpose: phrase`record the deployment's status`, permission: "deployments: write" },
  readPullRequest: { purpose: phrase`read the pull request`, permission: "pull-requests: write" },
  /** For the sweep action, which writes no comment. */
  readSweptPullRequest: { purpose: phrase`read the pull request`, permission: "pull-requests: read" },
  readComments: { purpose: phrase`read the comments`, permission: "pull-requests: write" },
  writeComment: { purpose: phrase`write the comment`, permission: "pull-requests: write" },
  readContents: { purpose: phrase`read the repository`, permission: "contents: read" },
} satisfies Record<string, Operation>;

/** Returns the error of a request. `thrown`: by Octokit or this action. An error that is a bug is rethrown. */
export function githubFailure({ purpose, permission }: Operation, thrown: unknown): Failure {
  const error = toError(thrown);
  // The messages of the causes are parts of a sentence, or begin with the request.
  const cause = [error, error.cause].find((candidate) => candidate instanceof Failure);
  if (cause !== undefined) {
    const status = cause instanceof RequestError ? cause.status : undefined;
    const hint =
      status === undefined
        ? text`${cause.ending.hint} ${neededPermission(permission)}`
        : permissionHint(permission, status);
    const message = text`Could not ${purpose} on GitHub: ${cause.ending.message}`;
    return new Failure(message, { hint, cause });
  }
  if (!("response" in error)) throw error;
  // Errors of GraphQL come with 200 and have no status of their own.
  const status = "status" in error ? Number(error.status) : 200;
  const { message: words } = error;
  return new RequestError(
    text`Could not ${purpose} on GitHub (${status}): ${quote(words, 300)}.`,
    { kind: "response", status, isFromApi: true, retryAfterMs: 0 },
    { hint: permissionHint(permission, status, words), cause: error },
  );
}

export const notFromGitHubProblem = phrase`the response is not what GitHub describes`;
export const maybeTemporaryHint = text`The problem may be temporary: check GitHub's status page.`;

function neededPermission(permission: string): Message {
  return text`The job needs the permission "${code(permission)}".`;
}

function permissionHint(permission: string, status: number, words = ""): Message {
  if (isRedirect(status)) {
    return text`The repository may have been renamed or moved. Start a new workflow run, which has its new name.`;
  }
  if (status === 401) {
    return text`Leave out ${inputName("github_token")} to use the job's token, or renew the secret that it refers to.`;
  }
  if (status === 429 || /rate limit/i.test(words)) {
    return text`GitHub limits the requests of each token. Try again later.`;
  }
  if (/\blocked\b/i.test(words)) {
    return text`The conversation of the pull request is locked. Unlock it, or set ${inputName("comment")} to ${code("false")}.`;
  }
  if (status === 403 || status === 404) {
    return text`Add "${code(permission)}" to the job's ${code("permissions")}. If you set ${inputName("github_token")}, that token needs it.`;
  }
  if (/no ref found/i.test(words)) return text`Push the commit before the deploy.`;
  return text`${maybeTemporaryHint} ${neededPermission(permission)}`;
}
