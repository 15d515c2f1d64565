import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.ts';

// pgledger (https://github.com/pgr0ss/pgledger, MIT licence) is a ledger of SQL functions. Its SQL is not part of this
// repository: `--pgledger` names a folder with it. This code fits commit c18c7d267d46ab396641d5e44f1ce3166aeb9a6d.

const files = [
  'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
  'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
  'pgledger.sql',
];

/** Three accounts for each wallet: available money, frozen money, and the source of the money. */
const openAccounts = `
create table bench_account (n integer primary key, available text not null, frozen text not null);
insert into bench_account (n, available, frozen)
  select n, (select id from pgledger_create_account('available ' || n, 'INR', allow_negative_balance => false)),
    (select id from pgledger_create_account('frozen ' || n, 'INR', allow_negative_balance => false))
  from generate_series(1, $wallets) n;
select count(*) from bench_account b, lateral (select id from pgledger_create_account('bank ' || b.n, 'INR')) bank,
  lateral pgledger_create_transfer(bank.id, b.available, 900000000000)`;

/** Installs pgledger from `folder`, with accounts for `wallets` merchants. */
export async function installPgledger(databaseUrl: string, folder: string, wallets: number): Promise<void> {
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  await install(databaseUrl, ...texts, openAccounts.replace('$wallets', String(wallets)), 'analyze');
}

/** The pgbench script: it freezes the amount of a payout, as one pgledger transfer in its own transaction. */
export const pgledgerScript = [
  '\\set m random(1, :wallets)',
  '\\set cents random(10000, 99999)',
  'select t.id from bench_account b, lateral pgledger_create_transfer(b.available, b.frozen, round((:cents)::numeric / 100, 2)) t where b.n = :m;',
  '',
].join('\n');
