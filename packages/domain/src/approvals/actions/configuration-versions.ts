import type { DatabaseAccess } from '../../database/database.ts';
import { configurationVersionsStatement, platformTenant } from '../../ledger/index.ts';
import { cycleSubject } from '../../settlement/index.ts';
import type { Named } from '../last-change.ts';
import { operations } from '../operations.ts';
import type { Noun } from './noun.ts';

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

/** The name of the object in audit records. */
function nameOf(noun: ConfigurationNoun): Named {
  switch (noun.type) {
    case 'merchant':
      return { tenant: noun.merchant.merchantId, subject: operations.setMerchant.subject(noun.merchant) };
    case 'channel':
      return { tenant: platformTenant, subject: operations.enableChannel.subject(noun.channel) };
    case 'operator':
      return { tenant: platformTenant, subject: operations.disableOperator.subject(noun.operator) };
    case 'merchant_key':
      return { tenant: noun.key.merchantId, subject: operations.retireMerchantKey.subject(noun.key) };
    case 'fee_rule':
      return {
        tenant: noun.rule.merchantId,
        subject: operations.removeFeeRule.subject({ ...noun.rule, from: noun.rule.beginsAt }),
      };
    case 'route':
      return { tenant: noun.route.merchantId, subject: operations.removeRoute.subject(noun.route) };
    case 'settlement_cycle':
      return { tenant: noun.cycle.merchantId, subject: cycleSubject };
    default:
      return noun satisfies never;
  }
}
