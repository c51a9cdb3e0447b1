import { linesOf } from "../text/strings.ts";
import { type Deployment, type DeploymentWire, toDeployment } from "./deployment.ts";

interface ReaderContext {
  /** Values of variables that are not secret. */
  readonly publicValues: readonly string[];
  /** Redacts values in texts from now on. */
  redactInTexts(values: readonly string[]): void;
}

/** Reads the deployments in all responses to a run, and remembers which of them have shown their live revision. */
export class DeploymentReader {
  readonly #context: ReaderContext;
  /** Their IDs, in lower case. */
  readonly #haveShownLive = new Set<string>();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  /** Returns the deployment of a response. From now on, the values of secrets in the response are redacted. */
  read(wire: DeploymentWire): Deployment {
    const { publicValues } = this.#context;
    // A value that another field shows too, such as the deployment's URL, is not secret.
    const otherFields = JSON.stringify({ ...wire, secrets: [] });
    const lines = linesOf((wire.secrets ?? []).map(({ value = "" }) => value));
    const publicLines = new Set(linesOf(publicValues));
    const isSecret = (line: string) => !publicLines.has(line) && !otherFields.includes(line);
    this.#context.redactInTexts(lines.filter(isSecret));
    const key = wire.id.toLowerCase();
    if (wire.active_revision_id !== undefined) this.#haveShownLive.add(key);
    return toDeployment(wire, this.#haveShownLive.has(key));
  }
}
