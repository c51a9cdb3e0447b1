import { type Platform, platforms, standard } from "../platform/platforms.ts";
import { type InputReader, quote } from "./reader.ts";
import { noAddress, readBaseUrl } from "./url.ts";

/** The input `platform`; problems stay in the reader. */
export function readPlatform(reader: InputReader): Platform {
  return platforms[reader.oneOf("platform", Object.keys(platforms), "standard")] ?? standard;
}

/** Where an API is served. */
export interface Address {
  readonly url: URL;
  /** The region that stands for the address, undefined where that itself was given. */
  readonly region: string | undefined;
}

/** The address of an API: the input that holds it, or what `region` stands for on this platform. */
export function readAddress(
  reader: InputReader,
  platform: Platform,
  input: "control_plane_url" | "base_url",
): Address {
  const chosen = reader.optional("region");
  const names = Object.keys(platform.regions);
  if (reader.optional(input) !== undefined) {
    if (chosen !== undefined) refuseBeside(reader, chosen, names, input);
    return { url: readBaseUrl(reader, input), region: undefined };
  }
  const region = chosen ?? names[0];
  if (region === undefined) return { url: readBaseUrl(reader, input), region };
  const found = Object.hasOwn(platform.regions, region) ? platform.regions[region] : undefined;
  if (found === undefined) {
    reader.refuse("region", unknownRegion(region, names, input));
    return { url: noAddress, region };
  }
  const url = new URL(input === "control_plane_url" ? found.controlPlane : found.usage);
  if (chosen === undefined) {
    reader.remark(
      "notice",
      `Neither region nor ${input} is given, so region ${region} is used (${url.origin}). Set region to ${names.join(" or ")}, or ${input} to a host of your own.`,
    );
  }
  return { url, region };
}

/** Refuses a region that is given beside an address, and says as well where it is none of the platform's. */
function refuseBeside(reader: InputReader, region: string, names: readonly string[], input: string): void {
  reader.refuse("region", `can't be given beside ${input}`);
  if (names.length > 0 && !names.includes(region))
    reader.refuse("region", unknownRegion(region, names, input));
}

function unknownRegion(region: string, names: readonly string[], input: string): string {
  if (names.length > 0) return `has to be ${names.join(" or ")}, not ${quote(region)}`;
  const others = Object.entries(platforms)
    .map(([name, { regions }]) => ({ name, regions: Object.keys(regions) }))
    .filter(({ regions }) => regions.length > 0);
  const shown = others.map(({ name, regions }) => `${name}: ${regions.join(" or ")}`).join("; ");
  return others.flatMap(({ regions }) => regions).includes(region)
    ? `can't be given on this platform, which has no regions: give ${input}, or set platform to one that has them (${shown})`
    : `is ${quote(region)}, which no platform has: give ${input}, or set platform, and set region to what goes with it (${shown})`;
}
