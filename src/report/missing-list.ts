import { code, type Message, text } from "../text/message.ts";

/** Why a deployment of this name can't be searched, as a sentence. */
export function missingListMessage(name: string): Message {
  return text`This control plane has no list of deployments, so ${code(name)} can't be found by name.`;
}
