/** Credentials in the address of a repository. */

/** Up to the last @ of the host's part. The user name of ssh is no secret. */
const CREDENTIALS = /^(https?:\/\/)([^/?#]*)@/i;

/** The address as people may read it. */
export function withoutCredentials(repoUrl: string): string {
  return repoUrl.replace(CREDENTIALS, "$1");
}

/** The user name, which may be a token, and the password: as they stand in the address, and decoded. */
export function credentialsIn(repoUrl: string): string[] {
  const [, , given = ""] = CREDENTIALS.exec(repoUrl) ?? [];
  const [user = "", ...password] = given.split(":");
  return [user, password.join(":")].flatMap((part) => [part, decoded(part)]);
}

/** A text with a percent sign that encodes nothing is one that the user has not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
