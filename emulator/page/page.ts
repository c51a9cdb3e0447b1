/** The emulator's page: who may see it, its addresses, and what its forms do. */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as v from "valibot";
import { InvalidRequestError, RefusedError } from "../errors.ts";
import { isLoopback } from "../loopback.ts";
import { validate } from "../routes/validation.ts";
import { deleteView, deploymentPage, findDeployment, logText } from "./deployment.ts";
import { deploymentsView } from "./deployments.ts";
import { html, type View } from "./html.ts";
import { layout, mainOf } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { Questions } from "./questions.ts";
import { requestsView } from "./requests.ts";
import { usageView } from "./usage.ts";

/** How often a view that is shown is compared with what it would show now. */
const REFRESH_MS = 400;
/** A view that takes long leaves most of the time to others. */
const DELAY_PER_REFRESH = 10;
/** A form that asks an agent waits this long for the answer, so that it is there without scripts too. */
const ANSWER_WAIT_MS = 10_000;

const FILES = { "style.css": "text/css", "script.js": "text/javascript", "icon.svg": "image/svg+xml" };

const AskSchema = v.object({
  graph: v.pipe(v.string(), v.trim()),
  path: v.pipe(v.string(), v.trim()),
  input: v.string(),
});

/** An application whose `fetch` returns the response to a request for the page. */
export function createPage(context: PageContext): Hono {
  const { controlPlane, dialect } = context;
  const questions = new Questions(context);
  const page = new Hono();
  page.use(headers, noStore, requireLoopbackHost);
  for (const [name, type] of Object.entries(FILES)) {
    const content = readFileSync(new URL(name, import.meta.url), "utf8");
    page.get(`/page/${name}`, (c) => c.body(content, 200, { "Content-Type": `${type}; charset=utf-8` }));
  }
  page.use(requireToken(context.token));
  page.on("POST", "*", requireOwnOrigin);

  page.get("/", (c) => {
    const query = { name: c.req.query("name") ?? "", offset: offsetIn(c) };
    return show(c, () => deploymentsView(context, query));
  });
  page.get("/page/requests", (c) => show(c, () => requestsView(context)));
  page.get("/page/usage", (c) => show(c, () => usageView(context, c.req.query())));
  page.get("/page/deployments/:id", (c) => {
    const query = { id: c.req.param("id"), offset: offsetIn(c) };
    return show(c, () => deploymentPage(context, questions, query));
  });
  page.get("/page/deployments/:id/delete", (c) => show(c, () => deleteView(context, c.req.param("id"))));
  page.get("/page/deployments/:id/revisions/:revisionId/:log{(build|deploy)\\.log}", (c) => {
    const { id, revisionId, log } = c.req.param();
    return c.text(logText(context, id, revisionId, log === "build.log" ? "build" : "deploy"));
  });

  page.post("/page/deployments/:id/ask", async (c) => {
    const { id } = findDeployment(context, c.req.param("id"));
    const answered = questions.ask(id, validate(AskSchema, await c.req.parseBody(), "body"));
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWER_WAIT_MS).unref())]);
    return c.redirect(`/page/deployments/${id}#ask`, 303);
  });
  page.post("/page/deployments/:id/delete", async (c) => {
    const { delete_tracing_project } = await c.req.parseBody();
    const query = delete_tracing_project === undefined ? {} : { delete_tracing_project };
    controlPlane.delete(c.req.param("id"), validate(dialect.deleteQuerySchema, query, "query"));
    return c.redirect("/", 303);
  });
  for (const operation of ["redeploy", "interrupt"] as const) {
    page.post(`/page/deployments/:id/revisions/:revisionId/${operation}`, (c) => {
      const { id, revisionId } = c.req.param();
      controlPlane[operation](id, revisionId);
      return c.redirect(`/page/deployments/${id}`, 303);
    });
  }

  page.notFound((c) => c.html(layout(failureView("This page does not exist.")), 404));
  page.onError(errorPage);
  return page;
}

/** Nothing inline, and nothing from elsewhere. A stricter `Referrer-Policy` would take the origin from forms. */
const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: "DENY",
  referrerPolicy: "same-origin",
  strictTransportSecurity: false,
});

const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};

/** A page of somebody else may point a name of its own at this machine. */
const requireLoopbackHost: MiddlewareHandler = async (c, next) => {
  if (!isLoopback(new URL(c.req.url).hostname)) {
    throw new RefusedError(421, "The page is only shown at localhost or a loopback address.");
  }
  await next();
};

/** Others on this machine can reach the port too. */
function requireToken(token: string): MiddlewareHandler {
  return async (c, next) => {
    // Cookies don't know ports, and there can be several emulators.
    const name = `emulator-page-${new URL(c.req.url).port}`;
    if (c.req.path === "/" && isSame(c.req.query("token"), token)) {
      setCookie(c, name, token, { httpOnly: true, sameSite: "Strict", path: "/" });
      // A redirect of a link on another site would be sent without the cookie.
      c.header("Refresh", "0; url=/");
      const main = html`<h1>Emulator</h1><p><a href="/">Open the page</a></p>`;
      return c.html(layout({ title: "Emulator", main, isLive: false }));
    }
    if (isSame(getCookie(c, name), token)) return await next();
    throw new RefusedError(
      401,
      "Open the address that the emulator printed when it was started. It holds a token.",
    );
  };
}

function isSame(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given ?? ""), digest(token));
}

const requireOwnOrigin: MiddlewareHandler = async (c, next) => {
  const isOwn = c.req.header("origin") === new URL(c.req.url).origin;
  const isSameOrigin = (c.req.header("sec-fetch-site") ?? "same-origin") === "same-origin";
  if (!isOwn || !isSameOrigin) throw new RefusedError(403, "Only the page's own forms are accepted.");
  await next();
};

function offsetIn(c: Context): number {
  const text = c.req.query("offset") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** A view as a page, or as a stream of what it becomes. */
function show(c: Context, view: () => View): Response | Promise<Response> {
  if (!c.req.header("accept")?.startsWith("text/event-stream")) return c.html(layout(view()));
  return streamSSE(c, async (stream) => {
    for (let shown = ""; !stream.aborted; ) {
      const startedAt = performance.now();
      const main = String(await mainOf(viewOrFailure(view)));
      if (main !== shown) await stream.writeSSE({ data: main });
      shown = main;
      await stream.sleep(Math.max(REFRESH_MS, DELAY_PER_REFRESH * (performance.now() - startedAt)));
    }
  });
}

/** A deployment that is shown can be deleted. */
function viewOrFailure(view: () => View): View {
  try {
    return view();
  } catch (error) {
    if (error instanceof RefusedError) return failureView(error.message);
    throw error;
  }
}

function failureView(message: string): View {
  const main = html`<h1>${message}</h1><p><a href="/">All deployments</a></p>`;
  return { title: "Emulator", main, isLive: false };
}

function errorPage(error: Error, c: Context): Response | Promise<Response> {
  const [status, message] = failureOf(error);
  return c.html(layout(failureView(message)), status);
}

function failureOf(error: Error): [status: ContentfulStatusCode, message: string] {
  if (error instanceof RefusedError) return [error.status, error.message];
  if (error instanceof InvalidRequestError) {
    return [422, error.items.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join(". ")];
  }
  console.error(error);
  return [500, "Internal Server Error"];
}
