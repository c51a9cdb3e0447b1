import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach } from "@jest/globals";
import { USAGE_EXPORT_PATH } from "../../../../src/usage-api/schemas.ts";

export interface RawServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
}

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

export const emptyReport = '{"stride":{"days":1,"hours":0},"usage":[]}';
export const csvHeader =
  "Time Bucket Start,Time Bucket End,Workspace ID,Workspace Name,Project ID,Project Name,User ID,User Email,API Key Short Key,Traces\r\n";

/** A usage API that answers as it is told, on the socket itself if need be. Closed after the test. */
export async function startRawServer(answers: {
  report?: Answering;
  export?: Answering;
}): Promise<RawServer> {
  const requests: IncomingMessage[] = [];
  const { report = (response) => void response.end(emptyReport), export: exporting = report } = answers;
  const server = createServer((request, response) => {
    requests.push(request);
    const isExport = request.url?.includes(USAGE_EXPORT_PATH) ?? false;
    (isExport ? exporting : report)(response, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}
