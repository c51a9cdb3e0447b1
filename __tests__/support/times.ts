/** How often a property is tried. `PROPERTY_RUNS=20` tries it twenty times as often. */
export function times(runs: number): { numRuns: number } {
  return { numRuns: Math.ceil(runs * Number(process.env.PROPERTY_RUNS ?? 1)) };
}
