import type { IncomingMessage, ServerResponse } from "node:http";
import { USAGE_EXPORT_PATH } from "../../../../src/usage/schemas.ts";
import { serve } from "../../../support/serve.ts";

export interface RawServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
}

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

const emptyReport = '{"stride":{"days":1,"hours":0},"usage":[]}';
export const csvHeader =
  "Time Bucket Start,Time Bucket End,Workspace ID,Workspace Name,Project ID,Project Name,User ID,User Email,API Key Short Key,Traces\r\n";

/** A usage API that answers as it is told, on the socket itself if need be. Closed after the test. */
export async function startRawServer(answers: {
  report?: Answering;
  export?: Answering;
}): Promise<RawServer> {
  const requests: IncomingMessage[] = [];
  const { report = (response) => void response.end(emptyReport), export: exporting = report } = answers;
  const url = await serve((request, response) => {
    requests.push(request);
    const isExport = request.url?.includes(USAGE_EXPORT_PATH) ?? false;
    (isExport ? exporting : report)(response, request);
  });
  return { url, requests };
}
