/** A pull request of the reader's, whose events leave the checkout at the commit that GitHub runs them on. */
import type { WorkflowEvent } from "../../support/runner/step-environment.ts";
import type { Files } from "./reader-repository.ts";
import type { World } from "./world.ts";

export class PullRequest {
  readonly #world: World;
  readonly #number: number;
  readonly #branch: string;

  constructor(world: World, number: number) {
    this.#world = world;
    this.#number = number;
    this.#branch = `feature-${number}`;
  }

  async opened(files: Files): Promise<WorkflowEvent> {
    const sha = await this.#commit(files);
    this.#world.github.pullRequests.open({ number: this.#number, branch: this.#branch, sha });
    return await this.#event("opened");
  }

  /** A push to its branch. */
  async synchronized(files: Files): Promise<WorkflowEvent> {
    this.#world.github.pullRequests.change(this.#number, { sha: await this.#commit(files) });
    return await this.#event("synchronize");
  }

  async labeled(label: string): Promise<WorkflowEvent> {
    this.#world.github.pullRequests.change(this.#number, { labels: [label] });
    return await this.#event("labeled", label);
  }

  async unlabeled(label: string): Promise<WorkflowEvent> {
    this.#world.github.pullRequests.change(this.#number, { labels: [] });
    return await this.#event("unlabeled", label);
  }

  async closed(): Promise<WorkflowEvent> {
    this.#world.github.pullRequests.change(this.#number, { state: "closed" });
    return await this.#event("closed");
  }

  async #commit(files: Files): Promise<string> {
    const { repository, commit } = this.#world;
    await repository.checkOut(this.#branch);
    return await commit(files);
  }

  async #event(action: string, label?: string): Promise<WorkflowEvent> {
    const { repository, github } = this.#world;
    github.repository.commit(await repository.checkOutMerge(this.#branch), {});
    return github.pullRequestRun(this.#number, action, label).event;
  }
}
