/**
 * Why a path can't be requested below the deployment's URL; undefined if it can. It must not lead to another host or out of
 * that URL's path, and a fragment is never sent.
 */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) return "must start with exactly one /, such as /ok";
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return "must not contain a blank, a \\, a # or a character beyond ASCII (encode it with %)";
  }
  const pathname = path.replace(/\?.*/, "");
  const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);
  return pathname.split(/\/|%2f|%5c/i).some(isDots) ? "must not contain the segments . or .." : undefined;
}
