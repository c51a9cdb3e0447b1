/** Path to content, of the files in a commit. */
export type Files = Readonly<Record<string, string>>;

const aSha = /^[0-9a-f]{40}$/u;

/** The commits, branches, tags and files of the one repository that the stand-in knows. */
export class Repository {
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly #commits = new Map<string, Files>();
  readonly #refs = new Map<string, string>();

  constructor(fullName: string, defaultBranch: string) {
    const [owner = "", name = ""] = fullName.split("/");
    this.owner = owner;
    this.name = name;
    this.defaultBranch = defaultBranch;
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Adds a commit, and moves the refs to it: `heads/main`, `tags/v1`. */
  commit(sha: string, files: Files, ...refs: string[]): void {
    this.#commits.set(sha, files);
    for (const ref of refs) {
      this.#refs.set(ref, sha);
    }
  }

  deleteRef(ref: string): void {
    this.#refs.delete(ref);
  }

  /** What `heads/main` or `tags/v1` points at. */
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
      (aSha.test(name) && this.#commits.has(name) ? name : undefined)
    );
  }

  files(sha: string): Files {
    return this.#commits.get(sha) ?? {};
  }
}
