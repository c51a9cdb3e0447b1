import { type ApiCall, type ApiResponse, errorResponse, notFound, type Routes } from "./api-response.ts";
import { example } from "./description.ts";

/** The files of a commit: path to content. */
export type Files = Readonly<Record<string, string>>;

const fullSha = /^[0-9a-f]{40}$/u;

/** Commits, branches, tags and files. */
export class Repository {
  readonly owner = "octo-org";
  readonly fullName = "octo-org/octo-repo";
  readonly defaultBranch = "main";
  readonly #commits = new Map<string, Files>();
  readonly #refs = new Map<string, string>();

  /** Adds a commit, and moves refs such as `heads/main` or `tags/v1` to it. */
  commit(sha: string, files: Files, ...refs: string[]): void {
    this.#commits.set(sha, files);
    for (const ref of refs) this.#refs.set(ref, sha);
  }

  deleteRef(ref: string): void {
    this.#refs.delete(ref);
  }

  /** The commit of a ref such as `heads/main` or `tags/v1`. */
  target(ref: string): string | undefined {
    return this.#refs.get(ref);
  }

  /** The commit that a branch, a tag, a full ref or a SHA names. */
  resolve(ref: string): string | undefined {
    const name = ref.replace(/^refs\//u, "");
    return (
      this.#refs.get(name) ??
      this.#refs.get(`heads/${name}`) ??
      this.#refs.get(`tags/${name}`) ??
      (fullSha.test(name) && this.#commits.has(name) ? name : undefined)
    );
  }

  files(sha: string): Files {
    return this.#commits.get(sha) ?? {};
  }
}

/** What the path is, file or folder: its content is always that of GitHub's example. */
function readContents(repository: Repository, { query, pathValues }: ApiCall): ApiResponse {
  const ref = typeof query.ref === "string" ? query.ref : repository.defaultBranch;
  const sha = repository.resolve(ref);
  if (sha === undefined) return errorResponse(404, `No commit found for the ref ${ref}`);
  const paths = Object.keys(repository.files(sha));
  const path = (pathValues.path ?? "").replaceAll(/^\/+|\/+$/gu, "");
  const kind = "content-file-response-if-content-is-a";
  if (paths.includes(path)) return { status: 200, body: example(`${kind}-file`) };
  const isFolder = path === "" || paths.some((each) => each.startsWith(`${path}/`));
  return isFolder ? { status: 200, body: example(`${kind}-directory`) } : notFound();
}

function readRef(repository: Repository, { pathValues }: ApiCall): ApiResponse {
  const ref = pathValues.ref ?? "";
  if (repository.target(ref) === undefined) return notFound();
  return { status: 200, body: { ...Object(example("git-ref")), ref: `refs/${ref}` } };
}

/** The operations on files and refs. */
export function repositoryRoutes(repository: Repository): Routes {
  return new Map([
    ["GET /repos/{owner}/{repo}/contents/{path}", (call: ApiCall) => readContents(repository, call)],
    ["GET /repos/{owner}/{repo}/git/ref/{ref}", (call: ApiCall) => readRef(repository, call)],
  ]);
}
