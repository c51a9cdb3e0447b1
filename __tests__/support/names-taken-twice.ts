import { text } from "node:stream/consumers";
import type { Emulator } from "../../emulator/server.ts";
import { serve } from "./serve.ts";

/**
 * The address of a control plane that takes a name twice: it passes everything on to an emulator, in which each
 * deployment's name has a mark of its own that is never shown.
 */
export async function startNamesTakenTwice(emulator: Emulator): Promise<string> {
  let created = 0;
  const marked = (body: string) => {
    created += 1;
    return JSON.stringify({ ...JSON.parse(body), name: `${JSON.parse(body).name}~${created}` });
  };
  return await serve(async (incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const body = await text(incoming);
    const kept = ["x-api-key", "x-tenant-id", "content-type", "user-agent", "accept"];
    const answer = await fetch(emulator.url + url, {
      method,
      headers: kept.flatMap((name): [string, string][] =>
        headers[name] ? [[name, String(headers[name])]] : [],
      ),
      ...(body !== "" && { body: method === "POST" ? marked(body) : body }),
    });
    outgoing.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    outgoing.end((await answer.text()).replaceAll(/~\d+"/g, '"'));
  });
}
