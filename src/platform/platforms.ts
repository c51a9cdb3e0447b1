import { langsmith } from "./langsmith.ts";
import type { Platform } from "./platform.ts";
import { standard } from "./standard.ts";

/** The platforms by the value of the input `platform`. */
export const platforms: Readonly<Record<"standard" | "langsmith", Platform>> = { standard, langsmith };
