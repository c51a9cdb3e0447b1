import { type Platform, platforms, standard } from "../control-plane/platforms.ts";
import { type InputReader, quote } from "./reader.ts";
import { readBaseUrl } from "./url.ts";

/** The input `platform`; problems stay in the reader. */
export function readPlatform(reader: InputReader): Platform {
  const name = reader.optional("platform") ?? "standard";
  const platform = Object.hasOwn(platforms, name) ? platforms[name] : undefined;
  if (platform !== undefined) return platform;
  reader.refuse("platform", `has to be ${Object.keys(platforms).join(" or ")}, not ${quote(name)}`);
  return standard;
}

/** The address of an API: the input that holds it, or what `region` stands for on this platform. */
export function readAddress(
  reader: InputReader,
  platform: Platform,
  input: "control_plane_url" | "base_url",
): URL {
  const region = reader.optional("region");
  const given = reader.optional(input);
  const names = Object.keys(platform.regions);
  const name = region ?? (given === undefined ? names[0] : undefined);
  if (region !== undefined && given !== undefined) reader.refuse("region", `can't be given beside ${input}`);
  if (name === undefined) return readBaseUrl(reader, input);
  const found = Object.hasOwn(platform.regions, name) ? platform.regions[name] : undefined;
  if (found === undefined) {
    const known =
      names.length === 0 ? `isn't known on this platform: give ${input}` : `has to be ${names.join(" or ")}`;
    reader.refuse("region", known);
    return new URL("https://invalid.invalid/");
  }
  return new URL(input === "control_plane_url" ? found.controlPlane : found.usage);
}
