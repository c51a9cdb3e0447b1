/**
 * Why a path can't be requested below the deployment's URL; undefined if it can. It must not lead to another host or out of
 * that URL's path, and a fragment is never sent.
 */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) return "must start with exactly one /, such as /ok";
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return "must not contain a blank, a \\, a # or a character beyond ASCII (encode it with %)";
  }
  const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);
  return withoutQuery(path)
    .split(/\/|%2f|%5c/i)
    .some(isDots)
    ? "must not contain the segments . or .."
    : undefined;
}

/** What is shown of a path: the query may hold a key. */
export function withoutQuery(path: string): string {
  return path.replace(/\?.*/s, "");
}

/** Shorter values are often ordinary words. */
const minSecretLength = 8;

/** What may be secret in the query of a path, which a server may repeat: all of it, and its values. */
export function querySecrets(path: string): string[] {
  const query = path.slice(withoutQuery(path).length + 1);
  const values = [...new URLSearchParams(query).values(), ...query.split(/[&=]/)];
  return [query, ...values].filter((text) => text.length >= minSecretLength);
}
