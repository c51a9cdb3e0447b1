/** Uploads of source archives in the database; the archives themselves are files. */
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";

const UploadRowSchema = v.pipe(
  v.object({
    id: v.string(),
    deployment_id: v.string(),
    token: v.string(),
    expires_at: v.number(),
    completed: v.number(),
  }),
  v.transform(({ completed, ...others }) => ({ ...others, isComplete: completed === 1 })),
);
/** `expires_at` is in milliseconds since the epoch, and only says until when an upload may start. */
export type UploadRow = v.InferOutput<typeof UploadRowSchema>;

export class UploadStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert({ id, deployment_id, token, expires_at }: Omit<UploadRow, "isComplete">): void {
    this.#database
      .prepare("INSERT INTO uploads (id, deployment_id, token, expires_at) VALUES (?, ?, ?, ?)")
      .run(id, deployment_id, token, expires_at);
  }

  find(id: string): UploadRow | undefined {
    const row = this.#database.prepare("SELECT * FROM uploads WHERE id = ?").get(id);
    return row === undefined ? undefined : v.parse(UploadRowSchema, row);
  }

  /** False if the upload was complete before, or its deployment is gone. */
  complete(id: string): boolean {
    const statement = this.#database.prepare(
      "UPDATE uploads SET completed = 1 WHERE id = ? AND completed = 0",
    );
    return statement.run(id).changes === 1;
  }

  /** The ids of all uploads that are complete. Those of a deleted deployment are removed with it. */
  completeIds(): string[] {
    const rows = this.#database.prepare("SELECT id FROM uploads WHERE completed = 1").all();
    return rows.map((row) => String(row.id));
  }
}
