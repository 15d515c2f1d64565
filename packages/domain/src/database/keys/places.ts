import type { SealPurpose } from './purposes.ts';

/**
 * The inventory of sealed texts: where each is, and for which purpose. The text is bound to its place, so it opens in no
 * other column and no other row. `rowTable`: `change-secret` seals its rows again. Others are cookies, or are sealed
 * within a row of another place.
 */
interface PlaceRow {
  purpose: SealPurpose;
  /** Table and column; for a cookie its use. */
  where: string;
  /** A column that is sealed again, and the key of its table. */
  stored: { table: string; column: string; id: string } | null;
}

const column = (purpose: SealPurpose, table: string, column: string, id: string) =>
  ({ purpose, where: `${table}.${column}`, stored: { table, column, id } }) satisfies PlaceRow;
const cookie = (where: string) => ({ purpose: 'console', where: `cookie ${where}`, stored: null }) satisfies PlaceRow;
/** A credential by `channel/name`. */
const credential = (purpose: SealPurpose) =>
  column(purpose, 'channel_credential', purpose, "channel_id || '/' || name");

const table = {
  payinCredential: credential('payin'),
  callbackCredential: credential('callback'),
  payoutCredential: credential('payout'),
  statementCredential: credential('statement'),
  serviceKey: column('notification', 'merchant_service_key', 'private_key', 'key_id'),
  account: column('account', 'settlement_account', 'sealed', 'account_id'),
  approval: column('approval', 'approval', 'secrets', 'approval_id'),
  sealKey: column('seal', 'seal_key', 'private_key', 'key_id'),
  consoleSession: cookie('console session'),
  boardSession: cookie('board session'),
  oidcJourney: cookie('console sign-in'),
} as const satisfies Record<string, PlaceRow>;

export type Place = keyof typeof table;
export const placeRows: Readonly<Record<Place, PlaceRow>> = table;
export const places = Object.keys(table) as Place[];
