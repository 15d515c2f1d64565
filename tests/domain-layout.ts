import type { SourceFacts } from './source-facts.ts';

const SRC = 'packages/domain/src/';

/** The folders of the domain. Each may import those before it, never those after it. */
const FOUNDATION = ['core', 'countries', 'boundary', 'sharing', 'threads', 'database', 'lists'];
const CAPABILITIES = [
  'ledger',
  'audit',
  'configuration',
  'channels',
  'notifications',
  'orders',
  'cases',
  'market',
  'reconciliation',
  'settlement',
  'work',
  'exports',
  'approvals',
  'work-lists',
];
const ORDER = [...FOUNDATION, ...CAPABILITIES];

/** Folders without clock, randomness, promises and I/O, and the modules that they may import. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  // To hash, and to find the network of an address, has no side effect.
  core: ['decimal.js', 'node:crypto', 'node:net', '@tidegate/settings/network'],
  countries: ['zod', 'node:net', '@tidegate/signature', '@tidegate/settings/bounded-text'],
};

/**
 * A file outside of `ledger/` that writes a table other than configuration, and why it may. `?` means tables that a value names.
 * An exception that is not needed any more is a violation.
 */
export interface WriteException {
  readonly file: string;
  readonly table: string;
  readonly reason: string;
}

/** Tables that hold configuration, and the capabilities that write them. The audit writes its own, `ledger/` every other one. */
const CONFIGURATION_TABLES = [
  'merchant',
  'merchant_key',
  'fee_rule',
  'scheduled_fee_rule',
  'route',
  'channel',
  'channel_credential',
  'bank_mapping',
  'configuration_change',
  'merchant_service_key',
  'public_key_owner',
  'operator',
  'operator_token',
  'operator_invitation',
  'operator_session',
  'saved_view',
  'operator_preferences',
  'settlement_cycle',
  'settlement_account',
  'settlement_file',
];
const AUDIT_TABLES = [
  'audit_run',
  'audit_checkpoint',
  'audit_finding',
  'payout_stop',
  'seal_key',
  'period_seal',
  'period_walk',
];
const WRITE_CONFIGURATION = ['configuration', 'channels', 'settlement', 'approvals'];

/** Whole packages and files outside of the domain that have SQL: they set installations up. */
const OTHERS_WITH_SQL = /^(?:packages\/domain|tools\/bench)\/|^tools\/sandbox\/src\/(?:seed|demo\/past-domain)\.ts$/;

/** A line for each rule of the domain's layout that a file breaks. */
export function findLayoutViolations(
  files: readonly SourceFacts[],
  writeExceptions: readonly WriteException[],
): string[] {
  const ours = files.filter(({ path }) => path.startsWith(SRC));
  return [
    ...ours.flatMap(misplacedFolder),
    ...ours.flatMap(domainImports),
    ...ours.flatMap(impurities),
    ...ours.flatMap(misplacedSql),
    ...sqlElsewhere(files),
    ...unexpectedWrites(ours, writeExceptions),
  ];
}

/** The folder below `src` that a path is in; empty for entry points, test helpers, and other packages. */
function folderOf(path: string): string {
  const folder = path.startsWith(SRC) ? (path.slice(SRC.length).split('/')[0] ?? '') : '';
  return folder.endsWith('.ts') || folder === 'entries' || folder === 'testing' ? '' : folder;
}

function misplacedFolder({ path }: SourceFacts): string[] {
  const folder = folderOf(path);
  return folder === '' || ORDER.includes(folder)
    ? []
    : [`${path}: there is no capability ${folder}: give it a place in the order of tests/domain-layout.ts`];
}

function domainImports({ path, imports }: SourceFacts): string[] {
  const folder = folderOf(path);
  if (folder === '') return [];
  return imports.flatMap(({ line, to }) => {
    const advice = adviceOn(folder, to);
    return advice === null ? [] : [`${path}:${line}: must not import ${to}: ${advice}`];
  });
}

/** What to do instead of an import of `to` by a file in `folder`; null where it is allowed. */
function adviceOn(folder: string, to: string): string | null {
  if (!/^(?:packages|tools)\//.test(to)) {
    const allowed = PURE[folder];
    return allowed === undefined || allowed.includes(to) ? null : `${folder} is pure. Pass in what it needs`;
  }
  const target = folderOf(to);
  if (target === folder) return null;
  if (target === '') return 'name the parts of the domain that it needs, e.g. LedgerAccess';
  if (ORDER.indexOf(target) > ORDER.indexOf(folder))
    return `${target} comes after ${folder} in the order of imports. Take what it needs as a parameter, or move it to ${target}`;
  const entry = `${SRC}${target}/index.ts`;
  return FOUNDATION.includes(target) || to === entry ? null : `import it from ${target}/index.ts, and export it there`;
}

function impurities({ path, impurities }: SourceFacts): string[] {
  const folder = folderOf(path);
  const isPure = folder in PURE || /\/decide(?:-[a-z-]+)?\.ts$/.test(path);
  if (!isPure) return [];
  const name = folder in PURE ? folder : 'a decision';
  return impurities.map(({ line, what }) => `${path}:${line}: ${name} is pure, ${what} is not: pass in what it gives`);
}

/** SQL is in the files named for it. */
function misplacedSql({ path, sql: [first] }: SourceFacts): string[] {
  return first === undefined || mayHaveSql(path)
    ? []
    : [`${path}:${first.line}: SQL belongs in queries.ts and list*.ts: move it to ${folderOf(path)}/queries.ts`];
}

function mayHaveSql(path: string): boolean {
  const inside = path.slice(SRC.length);
  // The entry asks whether the database answers.
  if (inside === 'open-domain.ts') return true;
  return /(?:^|\/)(?:queries|list(?:-[a-z-]+)?)\.ts$|^(?:lists|database|ledger\/records|audit)\//.test(inside);
}

function sqlElsewhere(files: readonly SourceFacts[]): string[] {
  return files.flatMap(({ path, sql: [first] }) =>
    first === undefined || OTHERS_WITH_SQL.test(path)
      ? []
      : [`${path}:${first.line}: SQL belongs in packages/domain: make it a verb of a capability`],
  );
}

/** Writes of tables by those who do not own them, by SQL or through an entity. */
function unexpectedWrites(files: readonly SourceFacts[], exceptions: readonly WriteException[]): string[] {
  const tables = new Map(files.flatMap(({ entities }) => entities.map(({ name, table }) => [name, table] as const)));
  const found = files.flatMap(({ path, sql, entityWrites }) => {
    const inside = path.slice(SRC.length);
    if (/^(?:ledger|database\/migrations)\//.test(inside)) return [];
    const written = [
      ...sql.flatMap(({ line, writes }) => writes.map((table) => ({ line, table }))),
      ...entityWrites.map(({ line, entity }) => ({ line, table: tables.get(entity) ?? '' })),
    ];
    return written
      .filter(({ table }) => table !== '' && !isOwner(folderOf(path), table))
      .map(({ line, table }) => ({ path, inside, line, table }));
  });
  const isMeant = ({ inside, table }: { inside: string; table: string }, one: WriteException): boolean =>
    one.file === inside && one.table === table;
  return [
    ...found
      .filter((write) => !exceptions.some((one) => isMeant(write, one)))
      .map(({ path, line, table }) => `${path}:${line}: ${adviceOnWrite(table)}`),
    ...exceptions
      .filter((one) => !found.some((write) => isMeant(write, one)))
      .map(({ file, table }) => `tests/write-exceptions.ts: ${file} does not write ${table}: delete its line`),
  ];
}

function isOwner(folder: string, table: string): boolean {
  if (AUDIT_TABLES.includes(table)) return folder === 'audit';
  return CONFIGURATION_TABLES.includes(table) && WRITE_CONFIGURATION.includes(folder);
}

function adviceOnWrite(table: string): string {
  if (CONFIGURATION_TABLES.includes(table))
    return `${table} is configuration: write it in ${WRITE_CONFIGURATION.join(', ')}, within changeConfiguration`;
  if (AUDIT_TABLES.includes(table)) return `only audit/ writes the table ${table}`;
  if (table === '?')
    return 'a value names the table that is written: name the table, or the file in write-exceptions.ts';
  return `only ledger/ writes the table ${table}: give the ledger writer a command`;
}
