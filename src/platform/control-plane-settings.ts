import { createHash } from "node:crypto";
import { urlBelow } from "../http/url.ts";
import { type Platform, regionOf } from "./platform.ts";

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
  /** Values of variables that are not secret, so that errors may quote them. */
  readonly plainValues: readonly string[];
}

/** Returns where people see their deployments. Only the vendor's cloud has a known console. */
export function consolePageOf({ platform, url, workspaceId }: ControlPlaneSettings) {
  const region = regionOf(url, platform.regions);
  return region && { url: region.console, workspaceId };
}

/** Identifies a control plane and workspace in records that anyone may read. A new key changes nothing. */
export function controlPlaneDigest({
  url,
  workspaceId,
}: Pick<ControlPlaneSettings, "url" | "workspaceId">): string {
  return createHash("sha256")
    .update(JSON.stringify([urlBelow(url, ""), workspaceId.toLowerCase()]))
    .digest("hex");
}
