import type { Context } from "../context.ts";
import { pauseMs } from "../deployment/poll-delay.ts";
import { ActionError } from "../errors.ts";
import { type HttpRequest, open, readResponse, withinTime } from "../http/exchange.ts";
import { responseText } from "../http/response-error.ts";
import type { HealthCheck } from "../inputs/after-deploy.ts";
import { isUnprotected } from "../inputs/url.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { formatDuration } from "../text/duration.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/** The longest that one answer is waited for, in milliseconds; a service that comes up may swallow the first requests. */
const answerMs = 10_000;
/** At the end of the time one last request gets at least this, in milliseconds. */
const minAnswerMs = 1000;
const maxPauseMs = 5000;
const answerLimitBytes = 10_000_000;

/**
 * Asks a deployed revision for `health_check_path` until it answers 2xx, and once more at the end of the time.
 * Nothing of the run's credentials is sent, and no redirect is followed. Answers with how the run ends: as it did,
 * or `failed` with what was answered last.
 *
 * @throws the cancellation's reason.
 */
export async function checkHealth(
  deployed: Ending,
  check: HealthCheck,
  progress: Progress,
  context: Context,
): Promise<Ending> {
  const { facts } = progress;
  const unhealthy = unhealthyEnding(`Revision ${facts.revisionId} is DEPLOYED, but`);
  if (facts.url === undefined) {
    return unhealthy(
      `the platform doesn't tell the deployment's URL, so ${check.path} (health_check_path) can't be asked for.`,
      "Set custom_url if the deployment has an address of its own, or leave health_check_path out.",
    );
  }
  const address = addressOf(facts.url, check.path);
  if (!check.allowHttp && isUnprotected(address)) {
    return unhealthy(
      `its URL is a plain http: address, which isn't asked for ${check.path} (health_check_path).`,
      "For a plain http: address of a private network set allow_http: true.",
    );
  }
  progress.note({ healthIsOpen: true });
  const result = await pollUntilHealthy(address, check, progress, context);
  progress.note({ healthIsOpen: false });
  if (result.well) return { ...deployed, message: `${deployed.message} It is well: ${result.words}.` };
  return unhealthy(
    `it isn't well: within ${formatDuration(check.timeoutMs)} it didn't answer 2xx. Last: ${sanitizeSentence(result.words, 1000)}`,
    "Check health_check_path, which is asked for without credentials, and the revision's server logs on the platform; health_check_timeout_seconds gives it more time.",
  );
}

function unhealthyEnding(subject: string): (what: string, hint: string) => Ending {
  return (what, hint) => ({ outcome: "failed", message: `${subject} ${what}`, hint });
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

interface Health {
  readonly well: boolean;
  /** What was answered, made inert. */
  readonly words: string;
}

async function pollUntilHealthy(
  address: URL,
  check: HealthCheck,
  progress: Progress,
  context: Context,
): Promise<Health> {
  const { clock, cancelled, log } = context;
  const start = clock.now();
  const leftMs = () => Math.max(0, start + check.timeoutMs - clock.now());
  let told: string | undefined;
  for (;;) {
    const last = leftMs() === 0;
    const health = await ask(address, Math.min(answerMs, Math.max(minAnswerMs, leftMs())), context);
    if (health.well || last) return health;
    if (health.words !== told) log.info(`Not well yet: ${health.words}`);
    told = health.words;
    progress.note({ stage: `still checking the deployment's health: ${health.words}` });
    await clock.sleep(Math.min(pauseMs(maxPauseMs, clock.now() - start), leftMs()), cancelled);
  }
}

/** Asks once. The status alone decides, so the body of a 2xx, which may never end, isn't read. */
async function ask(address: URL, timeoutMs: number, { cancelled, redact }: Context): Promise<Health> {
  const request: HttpRequest = {
    method: "GET",
    url: address,
    headers: { accept: "*/*" },
    urlInput: "custom_url",
    timeoutInput: "health_check_timeout_seconds",
  };
  const asked = `GET ${address.pathname}${address.search}`;
  try {
    return await withinTime(request, { timeoutMs, signal: cancelled }, async (signal) => {
      const message = await open(request, signal);
      const { statusCode: status = 0 } = message;
      if (status >= 200 && status < 300) {
        message.destroy();
        return { well: true, words: `${asked} was answered with ${status}` };
      }
      const answer = await readResponse(request, message, answerLimitBytes, signal);
      const words = responseText(answer, (text) => redact.words(text));
      return { well: false, words: `${asked} was answered with ${status}: ${words}` };
    });
  } catch (error) {
    cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    return { well: false, words: error.message };
  }
}
