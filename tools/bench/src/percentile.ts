/** The smallest of the ascending `values` that at least this share of them does not exceed; NaN for an empty list. */
export function percentileOf(values: readonly number[], share: number): number {
  return values[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}
