/** The regions of the vendor's cloud, the default one first: https://docs.langchain.com/langsmith/api-ref-control-plane#host */
export const regionNames = ["us", "eu", "apac", "aws-us"] as const;
export type RegionName = (typeof regionNames)[number];

const region = (prefix: string) => ({
  controlPlane: `https://${prefix}api.host.langchain.com`,
  usage: `https://${prefix}api.smith.langchain.com`,
  /** For a browser. */
  console: `https://${prefix}smith.langchain.com`,
});
type Region = Readonly<ReturnType<typeof region>>;

export const regions: Readonly<Record<RegionName, Region>> = {
  us: region(""),
  eu: region("eu."),
  apac: region("apac."),
  "aws-us": region("aws."),
};

/** Returns the region that a control plane belongs to; undefined on any other host. */
export function regionOf(url: URL): Region | undefined {
  return Object.values(regions).find(({ controlPlane }) => new URL(controlPlane).origin === url.origin);
}
