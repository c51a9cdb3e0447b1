// Serves the agent over HTTP, as agent servers do.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { findProblem, run, version } from "./agent.js";

const routes = {
  "GET /ok": (_request, response) => send(response, 200, { ok: true }),
  "GET /health": (_request, response) => {
    const problem = findProblem();
    response.writeHead(problem === null ? 200 : 503).end(problem ?? "healthy");
  },
  // Which revision answers: the platform sets the variable.
  "GET /info": (_request, response) => {
    const host = { host_revision_id: process.env.LANGSMITH_HOST_REVISION_ID ?? null };
    send(response, 200, { version, host });
  },
  "POST /runs/wait": async (request, response) => {
    const { input } = await json(request);
    send(response, 200, stateAfter(input));
  },
  // Server-sent events: the state, word by word.
  "POST /runs/stream": async (request, response) => {
    const { input } = await json(request);
    const state = stateAfter(input);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const sendEvent = (name, data) => response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    sendEvent("metadata", { run_id: randomUUID() });
    const words = state.answer?.split(" ") ?? [];
    for (const [index] of words.entries()) {
      sendEvent("values", { ...state, answer: words.slice(0, index + 1).join(" ") });
    }
    if (state.__error__) sendEvent("error", state.__error__);
    response.end();
  },
};

/** A run that fails is no failed request: its state says what went wrong. */
function stateAfter(input) {
  try {
    return run(input);
  } catch (error) {
    console.error(`The run failed: ${error.message}`);
    return { __error__: { error: error.name, message: error.message } };
  }
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const server = createServer(async (request, response) => {
  const path = request.url.split("?")[0];
  const route = routes[`${request.method} ${path}`];
  if (route === undefined) return send(response, 404, { detail: "Not Found" });
  try {
    await route(request, response);
  } catch (error) {
    send(response, 422, { detail: error.message });
  }
});

server.listen(process.env.PORT ?? 8000, process.env.HOST ?? "127.0.0.1", () => {
  const { address, port } = server.address();
  console.log(`Version ${version} listens on http://${address}:${port}`);
});
