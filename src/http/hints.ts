/** What to look at after a bad answer of one API, naming the inputs of the actions that talk to it. */
export interface Hints {
  /** The input that holds the API's address. */
  readonly urlInput: string;
  /** For an answer that didn't come from the API. */
  readonly elsewhere: string;
  /** For a success that isn't what the API describes. */
  readonly unexpected: string;
  readonly byStatus: Readonly<Record<number, string>>;
  /** For every other status below 500. */
  readonly otherwise: string;
}

/** The hints where `region` stood for the address: whoever belongs to another region isn't known there. */
export function hintsInRegion(hints: Hints, region: string | undefined): Hints {
  if (region === undefined) return hints;
  const note = `As ${hints.urlInput} isn't given, the host is that of region ${region}: set region if key and workspace are of another one.`;
  const { 401: unknownKey, 403: forbidden } = hints.byStatus;
  const byStatus = { ...hints.byStatus, 401: `${unknownKey} ${note}`, 403: `${forbidden} ${note}` };
  return { ...hints, byStatus };
}

/** What a user should look at after an answer of this HTTP status; `json` tells whether the API itself gave it. */
export function hintFor(status: number, json: boolean, hints: Hints): string {
  if (status >= 300 && status < 400) {
    return `Set ${hints.urlInput} to the API's final address: redirects are not followed, because the key would go to the other host.`;
  }
  if (!json && (status === 404 || status === 405)) return hints.elsewhere;
  if (status >= 500)
    return "The platform had a problem of its own; try again, and look at its status page if it stays.";
  return hints.byStatus[status] ?? hints.otherwise;
}
