import { createHash } from "node:crypto";
import { langsmith } from "./langsmith.ts";
import type { CloudRegion, Platform } from "./platform.ts";
import { standard } from "./standard.ts";

/** The platforms by the value of the input `platform`. */
export const platforms: Readonly<Record<"standard" | "langsmith", Platform>> = { standard, langsmith };

/** A control plane, and the workspace to use. */
export interface ControlPlaneSettings {
  readonly platform: Platform;
  readonly url: URL;
  /** The region that chose `url`; undefined if the URL itself was given. */
  readonly region?: string | undefined;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** A control plane, as far as rules depend on it. */
export type PlatformTarget = Pick<ControlPlaneSettings, "platform" | "url">;

/** The region of the vendor's cloud that a control plane belongs to; undefined on any other host. */
export function cloudRegion({ platform, url }: PlatformTarget): CloudRegion | undefined {
  const regions = Object.values(platform.regions ?? {});
  return regions.find(({ controlPlane }) => new URL(controlPlane).origin === url.origin);
}

/**
 * Identifies a control plane and workspace in records that anyone may read. No key is part of it, so that a new key loses
 * nothing.
 */
export function controlPlaneDigest({
  url,
  workspaceId,
}: Pick<ControlPlaneSettings, "url" | "workspaceId">): string {
  const address = url.origin + url.pathname.replace(/\/+$/, "");
  return createHash("sha256")
    .update(JSON.stringify([address, workspaceId.toLowerCase()]))
    .digest("hex");
}
