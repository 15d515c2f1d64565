import type { FigureDimension } from '../generated/documents.generated.ts';

/** What the figures of the day are divided by. */
export const dimensions = {
  country: { label: 'Country', of: 'COUNTRY' },
  kind: { label: 'Kind', of: 'KIND' },
  channel: { label: 'Channel', of: 'CHANNEL' },
  merchant: { label: 'Merchant', of: 'MERCHANT' },
} as const satisfies Record<string, { label: string; of: FigureDimension }>;

export type DimensionName = keyof typeof dimensions;

/** Reads the dimension from the page's URL. */
export function readDimension(by: unknown): { by?: DimensionName } {
  return typeof by === 'string' && by in dimensions ? { by: by as DimensionName } : {};
}
