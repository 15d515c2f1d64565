import type { DatabaseAccess } from '../../database/database.ts';
import { configurationVersionsStatement } from '../../ledger/index.ts';
import type { Noun } from './noun.ts';
import { nameOf } from './noun-name.ts';

/** A noun that is configuration. */
export type ConfigurationNoun = Extract<
  Noun,
  { type: 'merchant' | 'channel' | 'operator' | 'merchant_key' | 'fee_rule' | 'route' | 'settlement_cycle' }
>;

/** The version of each: the number of its last change, as text. One statement for all. */
export async function configurationVersions(
  { database }: DatabaseAccess,
  nouns: readonly ConfigurationNoun[],
): Promise<string[]> {
  const named = nouns.map(nameOf);
  const { rows } = await database.pool.query<{ place: number; version: string }>({
    ...configurationVersionsStatement,
    values: [named.map(({ tenant }) => tenant), named.map(({ subject }) => subject)],
  });
  const versions = new Map(rows.map(({ place, version }) => [place, version]));
  return nouns.map((_, i) => versions.get(i + 1) ?? '0');
}
