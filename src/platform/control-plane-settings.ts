import { createHash } from "node:crypto";
import { urlBelow } from "../http/url.ts";
import type { Platform } from "./platform.ts";
import { type RegionName, regionOf } from "./regions.ts";

export interface ApiLocation {
  readonly url: URL;
  /** The region that chose `url`; undefined if the URL itself was given. */
  readonly region?: RegionName | undefined;
}

export interface ControlPlaneSettings extends ApiLocation {
  readonly platform: Platform;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** The total time of one request. */
  readonly requestTimeoutMs: number;
  /** Whether a deletion also deletes the tracing project, on a platform that can. By default, it does not. */
  readonly deletesTraces?: boolean;
  /** Values of variables that are not secret, so that errors may quote them. By default, none are known. */
  readonly publicValues?: readonly string[];
}

/** Returns the page with the workspace's deployments. Only that of the vendor's cloud is known. */
export function consolePageOf({ url, workspaceId }: ControlPlaneSettings): string | undefined {
  const region = regionOf(url);
  return region && `${region.console}/o/${encodeURIComponent(workspaceId)}/host/deployments`;
}

/** Identifies a control plane and workspace in public records. It does not depend on the key, which may be replaced. */
export function controlPlaneDigest({
  url,
  workspaceId,
}: Pick<ControlPlaneSettings, "url" | "workspaceId">): string {
  return createHash("sha256")
    .update(JSON.stringify([urlBelow(url, ""), workspaceId.toLowerCase()]))
    .digest("hex");
}
