import type { GitHubClient } from "../github/client.ts";
import { wasRejected } from "../github/errors.ts";
import type { CommandFiles } from "./runner/command-files.ts";

/** The names under which id and end are saved (runner/saved-state.ts). */
interface Keys {
  readonly idKey: string;
  readonly endKey: string;
}

/**
 * A record or comment on GitHub, as far as the post step has to know of it if this step is killed: where it is, and how it
 * should end.
 */
export class SavedWrite {
  readonly #keys: Keys;
  readonly #github: GitHubClient;
  readonly #files: CommandFiles;
  #mayExist = false;

  constructor(keys: Keys, github: GitHubClient, files: CommandFiles) {
    this.#keys = keys;
    this.#github = github;
    this.#files = files;
  }

  /** Whether GitHub may have made it although its id did not arrive. */
  get mayExist(): boolean {
    return this.#mayExist;
  }

  /** Sends the request that makes it. Until GitHub has sent the id, `place` says where to search for it. */
  async make<Id extends number | undefined>(place: object, send: () => Promise<Id>): Promise<Id> {
    this.#saveId(JSON.stringify(place));
    try {
      const id = await send();
      this.#saveId(id === undefined ? "" : String(id));
      return id;
    } catch (error) {
      if (wasRejected(error)) this.#saveId("");
      throw error;
    }
  }

  /** GitHub has made the record or comment. */
  exists(id: number): void {
    this.#saveId(String(id));
  }

  /** Has `give` tell GitHub beside the run how it ended, and nothing is left to the post step once it returns true. */
  end(saved: string, give: () => Promise<boolean>): void {
    this.#files.saveState(this.#keys.endKey, saved);
    this.#github.enqueue(async () => {
      if (!(await give())) return;
      this.#saveId("");
      this.#files.saveState(this.#keys.endKey, "");
    });
  }

  #saveId(saved: string): void {
    this.#mayExist = saved !== "";
    this.#files.saveState(this.#keys.idKey, saved);
  }
}
