/** More than any repository that was renamed needs. */
const maxRedirects = 3;

/** In bytes, unpacked: more than any page of a list has. */
const maxAnswer = 10_000_000;

/** An answer isn't gone on with: a redirect that isn't followed, or what can't be GitHub's. */
export class UnusableAnswerError extends Error {
  override readonly name = "UnusableAnswerError";
}

/**
 * `fetch` as Octokit needs it, which takes an answer that breaks off for an empty one: here an answer is whole and of a
 * size that can be held, or an error. Redirects, as of a repository that was renamed, are followed on GitHub's own host
 * only, with method and body as they are (docs.github.com, Best practices for using the REST API).
 *
 * @param plain what sends the requests
 * @throws what `plain` and reading its answer throw, and UnusableAnswerError.
 */
export function wholeFetch(plain: typeof fetch): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    let address = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await plain(address, { ...init, redirect: "manual" });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || response.status === 304) {
        return await whole(response);
      }
      await response.body?.cancel();
      address = redirectWithin(address, location, response.status);
    }
    throw new UnusableAnswerError(`it redirected more than ${maxRedirects} times`);
  };
}

/** Statuses whose answers have no body (Fetch, "null body status"). */
const bodiless: readonly number[] = [204, 205, 304];

async function whole(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await textOf(response);
  // No range is ever asked for (RFC 9110, 15.3.7).
  if (status === 206) throw new UnusableAnswerError("it answered with a part (206) that wasn't asked for");
  if (status > 599) throw new UnusableAnswerError(`it answered with ${status}, which is no status`);
  return new Response(bodiless.includes(status) ? null : text, { status, headers });
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxAnswer)
      throw new UnusableAnswerError(`it answered with more than ${maxAnswer / 1_000_000} MB`);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function redirectWithin(from: string, location: string | null, status: number): string {
  if (location === null || !URL.canParse(location, from)) {
    throw new UnusableAnswerError(`it answered with a redirect (${status}) without an address`);
  }
  const to = new URL(location, from);
  if (to.origin === new URL(from).origin) return to.href;
  throw new UnusableAnswerError(
    `it answered with a redirect (${status}) to another host, which is not followed`,
  );
}
