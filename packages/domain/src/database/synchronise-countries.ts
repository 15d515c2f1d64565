import type pg from 'pg';
import { platformMerchantOf } from '../core/country.ts';
import { countryDefinitions, transitionRules } from '../countries/index.ts';

/**
 * Adds countries of the code that the tables `country` and `transition_rule` lack, and the platform merchant of each
 * new country. That merchant holds money without an order. Removes nothing, because an older version may still run and
 * need a row; a migration removes it. Throws if a country's currency has changed: the balances of its wallets would
 * change their meaning.
 */
export async function synchroniseCountries(pool: pg.Pool): Promise<void> {
  const { rows: changed } = await pool.query<{ code: string; currency: string }>(
    `select c.code, c.currency from country c join unnest($1::text[], $2::text[]) as u(code, currency) using (code)
     where c.currency <> u.currency`,
    codesAndCurrencies(),
  );
  const [first] = changed;
  if (first) throw new Error(`the currency of ${first.code} is ${first.currency}, and can never be another`);
  await pool.query('insert into country select * from unnest($1::text[], $2::text[]) on conflict do nothing', [
    ...codesAndCurrencies(),
  ]);
  await pool.query(
    `insert into transition_rule (kind, country, "from", "to")
     select distinct * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) on conflict do nothing`,
    rulesByColumn(),
  );
  await pool.query(
    `with made as (
       insert into merchant (merchant_id, name, country, currency, status, payin_enabled, payout_enabled, tag)
       select merchant_id, 'Platform ' || code, code, currency, 'disabled', false, false, '----'
       from unnest($1::text[], $2::text[], $3::text[]) as u(code, currency, merchant_id)
       where not exists (select from merchant m where m.merchant_id = u.merchant_id)
       on conflict do nothing returning merchant_id, currency)
     insert into wallet (merchant_id, currency) select merchant_id, currency from made`,
    [...codesAndCurrencies(), countryDefinitions.map(({ code }) => platformMerchantOf(code))],
  );
}

function codesAndCurrencies(): [string[], string[]] {
  return [countryDefinitions.map(({ code }) => code), countryDefinitions.map(({ currency }) => currency)];
}

/** kind, country, from, to. The database has no row for the first transition. */
function rulesByColumn(): string[][] {
  const rules = transitionRules.flatMap(({ kind, country, from, to }) =>
    from.filter((status) => status !== 'new' && status !== to).map((status) => [kind, country, status, to]),
  );
  return [0, 1, 2, 3].map((column) => rules.map((rule) => rule[column] ?? ''));
}
