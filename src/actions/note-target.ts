import { type Target, titleOf } from "../inputs/target.ts";
import type { Progress } from "../progress/progress.ts";

/** From here on the facts tell which deployment is meant. */
export function noteTarget(target: Target, progress: Progress): void {
  progress.note({ title: titleOf(target), name: target.kind === "name" ? target.name : undefined });
}
