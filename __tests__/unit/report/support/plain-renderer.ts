import { Renderer } from "../../../../src/report/renderer.ts";
import { removeInvisible } from "../../../../src/text/sanitize.ts";

/** A renderer that knows no secrets. */
export const plainRenderer = new Renderer({ redactText: removeInvisible, redactIdentifier: String });
