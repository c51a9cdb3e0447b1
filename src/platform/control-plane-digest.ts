import { createHash } from "node:crypto";

interface Workspace {
  /** The address of the control plane. */
  readonly url: URL;
  /** Headers that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Identifies a control plane and workspace in records that anyone may read. No key is part of it, so that a new key loses
 * nothing.
 */
export function controlPlaneDigest({ url, headers }: Workspace): string {
  const address = url.origin + url.pathname.replace(/\/+$/, "");
  const workspace = headers["x-tenant-id"]?.toLowerCase();
  return createHash("sha256")
    .update(JSON.stringify([address, workspace]))
    .digest("hex");
}
