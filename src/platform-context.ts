import type { Context } from "./context.ts";
import { defaultRetryMs } from "./http/retry.ts";
import { ControlPlane } from "./platform/control-plane.ts";
import type { ControlPlaneSettings } from "./platform/control-plane-settings.ts";

/** The context of a run that uses the control plane. */
export interface PlatformContext extends Context {
  readonly controlPlane: ControlPlane;
  readonly settings: ControlPlaneSettings;
}

/** Adds a control plane to a context. `retryMs`: how long each request is retried. */
export function withControlPlane<C extends Context>(
  context: C,
  settings: ControlPlaneSettings,
  retryMs = defaultRetryMs,
): C & PlatformContext {
  return { ...context, settings, controlPlane: new ControlPlane(settings, context, retryMs) };
}
