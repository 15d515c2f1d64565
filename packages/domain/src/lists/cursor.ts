/** Where a row stands in its list: the values of the list's key, the most significant first. Times are Unix milliseconds. */
export type Key = readonly (string | number)[];

type Part = 'time' | 'number' | 'text';

/** Every list, and what its key is made of. */
export const keyShapes = {
  approvals: ['time', 'text', 'text'],
  audit_findings: ['time', 'text', 'number'],
  audit_records: ['time', 'text', 'number'],
  bank_mappings: ['text', 'text', 'text'],
  channels: ['text'],
  fee_rules: ['text', 'text', 'text'],
  merchant_keys: ['time', 'text'],
  merchants: ['text'],
  money_cases: ['time', 'text', 'number'],
  notifications: ['time', 'text', 'text', 'text'],
  operator_tokens: ['time', 'text'],
  operators: ['text'],
  orders: ['time', 'text', 'text'],
  payments: ['text', 'text'],
  payout_tasks: ['time', 'text', 'text'],
  routes: ['number'],
  service_keys: ['time', 'text'],
  stuck_payouts: ['time', 'text', 'text'],
  timeline: ['time', 'number', 'text'],
  transfers: ['number'],
  wallet_entries: ['number'],
} as const satisfies Record<string, readonly Part[]>;

export type ListName = keyof typeof keyShapes;

/** Opaque to whoever gets it; no secret, for it only says where to go on. */
export function writeCursor(list: ListName, key: Key): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
}

/** Longer than any that we write. */
const longest = 512;

/** The key in a cursor of this list; null for anything else. */
export function readCursor(list: ListName, cursor: string): Key | null {
  if (cursor.length > longest || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(read) || read[0] !== list) return null;
    const [, ...key] = read;
    const shape: readonly Part[] = keyShapes[list];
    return key.length === shape.length && shape.every((part, i) => fits(part, key[i])) ? key : null;
  } catch {
    return null;
  }
}

/** The end of the year 9999. */
const lastTime = 253_402_300_799_999;

function fits(part: Part, value: unknown): boolean {
  switch (part) {
    case 'time':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastTime;
    case 'number':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    case 'text':
      return typeof value === 'string' && value.length <= 200 && !value.includes('\0');
    default:
      return part satisfies never;
  }
}
