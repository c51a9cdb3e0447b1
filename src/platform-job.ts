import type { Context } from "./context.ts";
import { defaultRetryMs } from "./http/retry.ts";
import { ControlPlane } from "./platform/control-plane.ts";
import type { ControlPlaneSettings } from "./platform/control-plane-settings.ts";

/** What every step that uses the control plane works with. */
export interface PlatformJob extends Context {
  readonly controlPlane: ControlPlane;
  readonly settings: ControlPlaneSettings;
}

/** Returns the context with a control plane, each of whose requests is retried for at most `retryMs`. */
export function platformJob<C extends Context>(
  context: C,
  settings: ControlPlaneSettings,
  retryMs = defaultRetryMs,
): C & PlatformJob {
  return { ...context, settings, controlPlane: new ControlPlane(settings, context, retryMs) };
}
