import { createHash, randomBytes } from "node:crypto";

/** What is kept of a secret: a salted SHA-256, so that neither the value nor two equal ones show in the data file. */
export function secretHash(value: string): string {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${createHash("sha256").update(salt).update(value).digest("hex")}`;
}
