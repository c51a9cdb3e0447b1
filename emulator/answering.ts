/** One request from its arrival to its answer: the log, the faults, and between them the application. */
import type { Hono } from "hono";
import { type Exchange, hideFields, leavesBodyUnread, respondWith } from "./misbehave/faults.ts";
import type { Misbehaviour } from "./misbehave/misbehaviour.ts";
import { type LoggedRequest, logEntry, loggedBody } from "./request-log.ts";

export interface AnsweringParts {
  readonly app: Hono;
  readonly misbehaviour: Misbehaviour;
  /** Called when a request arrives, its body unread. */
  readonly onArrival: (request: LoggedRequest) => void;
  /** Called when a request is answered, or has gone wrong as a rule said. */
  readonly onEnd: (request: LoggedRequest) => void;
}

/** Answers a request, rightly or as the rules say. */
export async function answer(request: Request, exchange: Exchange, parts: AnsweringParts): Promise<Response> {
  const { app, misbehaviour } = parts;
  const entry = logEntry(request);
  parts.onArrival(entry);
  const line = { method: entry.method, path: entry.path.replace(/^\/api-host(?=\/)/, "") };
  const fault = misbehaviour.faultFor(line);
  const text = fault && leavesBodyUnread(fault) ? "" : await request.text();
  entry.body = loggedBody(text);
  const applyPlan = async () => {
    const { method, headers } = request;
    const body = text === "" ? null : text;
    const response = await app.fetch(new Request(request.url, { method, headers, body }));
    return await hideFields(response, misbehaviour.hiddenFields(line));
  };
  const response = fault ? await respondWith(fault, applyPlan, exchange) : await applyPlan();
  entry.status = exchange.outgoing.headersSent ? exchange.outgoing.statusCode : response.status;
  parts.onEnd(entry);
  return response;
}
