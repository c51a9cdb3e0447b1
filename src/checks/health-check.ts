import { bestEffort } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { pollUntil } from "../http/poll.ts";
import { pollDelayMs } from "../http/poll-delay.ts";
import { type HttpRequest, openResponse, readBody, withDeadline } from "../http/request.ts";
import { responseText } from "../http/response-error.ts";
import { isUnprotected } from "../inputs/address.ts";
import type { HealthCheck } from "../inputs/deploy.ts";
import { formatDuration } from "../text/format.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/** The longest wait for one response, in milliseconds: a service that starts may drop the first requests. */
const maxResponseMs = 10_000;
/** The last request at the end of the time gets at least this, in milliseconds. */
const minResponseMs = 1000;
const maxDelayMs = 5000;
const maxResponseBytes = 10_000_000;

export type HealthResult =
  /** `message`: a sentence. */
  | { readonly isHealthy: true; readonly message: string }
  | { readonly isHealthy: false; readonly message: string; readonly hint: string };

/**
 * Requests `health_check_path` until the response is 2xx, and once more at the end of the time
 * (docs/specification.md#health-check). No credentials are sent, and no redirect is followed. `url`: of the deployment.
 *
 * @throws the reason of a cancellation.
 */
export async function checkHealth(
  url: string | undefined,
  check: HealthCheck,
  context: RunContext,
): Promise<HealthResult> {
  if (url === undefined) {
    return {
      isHealthy: false,
      message: `The health check failed: the platform does not show the deployment's URL, so ${check.path} can't be requested.`,
      hint: "Set custom_url if the deployment has a URL of its own, or remove health_check_path.",
    };
  }
  const address = addressOf(url, check.path);
  if (!check.allowHttp && isUnprotected(address)) {
    return {
      isHealthy: false,
      message: `The health check failed: ${check.path} is not requested, because the deployment's URL is a plain http: address.`,
      hint: "Set allow_http: true for a plain http: address of a private network.",
    };
  }
  await context.emit({ kind: "health_check_changed", isRunning: true });
  const result = await pollHealth(address, check, context);
  await context.emit({ kind: "health_check_changed", isRunning: false });
  return result;
}

/** The path below the deployment's URL, whose own path is kept. */
function addressOf(deploymentUrl: string, path: string): URL {
  const url = new URL(deploymentUrl);
  url.username = "";
  url.password = "";
  url.hash = "";
  const [pathname = ""] = path.split("?", 1);
  url.pathname = url.pathname.replace(/\/+$/, "") + pathname;
  url.search = path.slice(pathname.length);
  return url;
}

async function pollHealth(address: URL, check: HealthCheck, context: RunContext): Promise<HealthResult> {
  const { clock, emit, log } = context;
  const startedAt = clock.now();
  const deadline = startedAt + check.timeoutMs;
  let lastResponse = "";
  const attempt = async (): Promise<HealthResult | undefined> => {
    const leftMs = Math.max(minResponseMs, deadline - clock.now());
    const response = await request(address, Math.min(maxResponseMs, leftMs), context);
    if (response.isHealthy) {
      const after = formatDuration(clock.now() - startedAt);
      return { isHealthy: true, message: `Health check passed after ${after} (${response.text}).` };
    }
    if (response.text !== lastResponse) log.info(`Not healthy yet: ${response.text}`);
    lastResponse = response.text;
    await emit({ kind: "stage_changed", stage: `still checking the deployment's health: ${response.text}` });
    return undefined;
  };
  const delayMs = () => pollDelayMs(maxDelayMs, clock.now() - startedAt);
  const result = await pollUntil(attempt, { deadline, delayMs, tolerates: () => false }, context);
  await emit({ kind: "stage_changed", stage: undefined });
  return (
    result ?? {
      isHealthy: false,
      message: `The health check failed: no 2xx response within ${formatDuration(check.timeoutMs)}. Last response: ${sanitizeSentence(lastResponse, 1000)}`,
      hint: "Check health_check_path, which is requested without credentials, and the server's logs on the platform. health_check_timeout_seconds gives the deployment more time.",
    }
  );
}

interface HealthResponse {
  readonly isHealthy: boolean;
  /** What came back, sanitized. */
  readonly text: string;
}

async function request(
  address: URL,
  timeoutMs: number,
  { cancelled, redact }: RunContext,
): Promise<HealthResponse> {
  const httpRequest: HttpRequest = {
    method: "GET",
    url: address,
    headers: { accept: "*/*" },
    urlInput: "custom_url",
    timeoutInput: "health_check_timeout_seconds",
  };
  const subject = `GET ${address.pathname}${address.search}`;
  const send = async (signal: AbortSignal): Promise<HealthResponse> => {
    const message = await openResponse(httpRequest, signal);
    const { statusCode: status = 0 } = message;
    if (status >= 200 && status < 300) {
      // The status alone decides; the body may never end.
      message.destroy();
      return { isHealthy: true, text: `${subject}: ${status}` };
    }
    const response = await readBody(httpRequest, message, maxResponseBytes, signal);
    return { isHealthy: false, text: `${subject}: ${status}, ${responseText(response, redact.text)}` };
  };
  const limits = { timeoutMs, signal: cancelled };
  const result = await bestEffort(() => withDeadline(httpRequest, limits, send), cancelled);
  return "value" in result ? result.value : { isHealthy: false, text: result.error.message };
}
