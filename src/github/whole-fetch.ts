/** More than any repository that was renamed needs. */
const mostRedirects = 3;

/** An answer was a redirect that isn't followed. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
}

/**
 * `fetch` as Octokit needs it, which takes an answer that breaks off for an empty one: here an answer is whole, or an
 * error. Redirects, as of a repository that was renamed, are followed on GitHub's own host only, with method and body
 * as they are (docs.github.com, Best practices for using the REST API).
 *
 * @param plain what sends the requests
 * @throws what `plain` and reading its answer throw, and RedirectError for a redirect that isn't followed.
 */
export function wholeFetch(plain: typeof fetch): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    let address = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await plain(address, { ...init, redirect: "manual" });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || response.status === 304) {
        return await whole(response);
      }
      await response.body?.cancel();
      address = redirectWithin(address, location, response.status);
    }
    throw new RedirectError(`it redirected more than ${mostRedirects} times`);
  };
}

/** Statuses whose answers have no body (Fetch, "null body status"). */
const bodiless: readonly number[] = [204, 205, 304];

async function whole(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  return new Response(bodiless.includes(status) ? null : text, { status, headers });
}

function redirectWithin(from: string, location: string | null, status: number): string {
  if (location === null || !URL.canParse(location, from)) {
    throw new RedirectError(`it answered with a redirect (${status}) without an address`);
  }
  const to = new URL(location, from);
  if (to.origin === new URL(from).origin) return to.href;
  throw new RedirectError(`it answered with a redirect (${status}) to another host, which is not followed`);
}
