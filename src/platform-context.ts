import type { Context } from "./context.ts";
import { defaultRetryMs } from "./http/retry.ts";
import { ControlPlane } from "./platform/control-plane.ts";
import { type ControlPlaneSettings, consolePageOf } from "./platform/control-plane-settings.ts";

/** The context of a run that uses the control plane. */
export interface PlatformContext extends Context {
  readonly controlPlane: ControlPlane;
  readonly settings: ControlPlaneSettings;
}

/** Adds a control plane to a context, and reports its console. `retryMs`: how long each request is retried. */
export function withControlPlane<C extends Context>(
  context: C,
  settings: ControlPlaneSettings,
  retryMs = defaultRetryMs,
): C & PlatformContext {
  context.report.set({ consolePage: consolePageOf(settings) });
  return { ...context, settings, controlPlane: new ControlPlane(settings, context, retryMs) };
}
