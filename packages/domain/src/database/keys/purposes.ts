/**
 * What the service seals, signs cookies with, or hashes; and which processes may do so. Each purpose has keys of its
 * own. A process has only the keys of this table (docs/adr/0036-a-key-for-each-purpose.md).
 *
 * `box`: sealed with a public key, so who seals need not be able to open. `secret`: sealed and opened with one key, in
 * one place or by the same processes. `hash`: a keyed hash.
 */
interface PurposeRow {
  kind: 'box' | 'secret' | 'hash';
  /** What is protected with it, for messages and docs. */
  about: string;
  /** Kinds of processes that open, or hash. They can seal too. */
  opens: readonly ProcessKind[];
  /** Kinds of processes that only seal. */
  seals: readonly ProcessKind[];
}

/**
 * The kinds of processes that have keys. `worker` serves all queues. `admin` is the command line: it has all keys, and
 * is not in the table.
 */
export const processKinds = [
  'rest',
  'api',
  'worker',
  'worker-orders',
  'worker-notifications',
  'worker-upkeep',
  'admin',
] as const;
export type ProcessKind = (typeof processKinds)[number];

const callers = ['worker', 'worker-orders', 'worker-upkeep'] as const;

export const purposeRows = {
  payin: { kind: 'box', about: 'credentials of channels for payins', opens: ['rest', ...callers], seals: ['api'] },
  callback: {
    kind: 'box',
    about: 'credentials of channels that verify callbacks',
    opens: ['rest', ...callers],
    seals: ['api'],
  },
  payout: {
    kind: 'box',
    about: 'credentials of channels for payouts and refunds',
    opens: callers,
    seals: ['api'],
  },
  statement: { kind: 'box', about: 'credentials of channels for statements', opens: callers, seals: ['api'] },
  notification: {
    kind: 'box',
    about: 'service keys, which sign notifications',
    opens: ['worker', 'worker-notifications'],
    seals: ['api'],
  },
  account: {
    kind: 'secret',
    about: 'bank accounts of merchants',
    opens: ['api', ...callers],
    seals: [],
  },
  approval: { kind: 'secret', about: 'input of operations that wait for approval', opens: ['api'], seals: [] },
  console: { kind: 'secret', about: 'cookies of the console and the board', opens: ['api'], seals: [] },
  seal: { kind: 'secret', about: "keys that sign the ledger's seals", opens: ['worker', 'worker-upkeep'], seals: [] },
  checkout: { kind: 'hash', about: 'addresses of checkout pages', opens: ['rest', 'api'], seals: [] },
  search: {
    kind: 'hash',
    about: 'hashes by which orders are found',
    opens: ['api', 'worker', 'worker-upkeep'],
    seals: [],
  },
} as const satisfies Record<string, PurposeRow>;

export type Purpose = keyof typeof purposeRows;
export const purposes = Object.keys(purposeRows) as Purpose[];
const rows: Readonly<Record<Purpose, PurposeRow>> = purposeRows;

/** The purposes of what is sealed; the others are keyed hashes. */
export const sealedPurposes = purposes.filter((purpose) => rows[purpose].kind !== 'hash');

export type HashPurpose = 'checkout' | 'search';
export type SealPurpose = Exclude<Purpose, HashPurpose>;

/** The purposes of channels' credentials, in the order of the columns that have them. */
export const credentialPurposes = ['payin', 'callback', 'payout', 'statement'] as const satisfies readonly Purpose[];
export type CredentialPurpose = (typeof credentialPurposes)[number];

export function isPurpose(text: string): text is Purpose {
  return text in rows;
}

export function kindOfPurpose(purpose: Purpose): PurposeRow['kind'] {
  return rows[purpose].kind;
}

export function aboutPurpose(purpose: Purpose): string {
  return rows[purpose].about;
}

/** What a process may do with a purpose; null: nothing, so it gets no key of it. */
export function mayUse(process: ProcessKind, purpose: Purpose): 'open' | 'seal' | null {
  const { opens, seals } = rows[purpose];
  if (process === 'admin' || opens.includes(process)) return 'open';
  return seals.includes(process) ? 'seal' : null;
}
