import { type Country, platformMerchantOf } from '../../core/country.ts';
import type { Outcome } from '../../core/rejection.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { type FormatAccess, findFormat, listFormats, proposeFormats } from '../formats/formats.ts';
import { type ProfileFields, settingsOf } from '../formats/profile-fields.ts';
import { csvReader, formatOfProfile } from '../formats/profile-format.ts';
import type { StoredLine } from '../list-statements.ts';
import { type StatementFormat, StatementNotRead, StatementUnreadable, startOfFile } from '../statement.ts';
import type { StatementAccess } from '../statement-access.ts';
import { todayOf } from '../today.ts';
import { checkStatement, type FileToCheck, openContent, type StatementContent } from './check-statement.ts';
import { decimalText, type FileTotals, sumOf } from './decide-totals.ts';
import { contentSql, expectedFileSql } from './queries.ts';

/** How many rows a preview shows. */
const shownRows = 200;

/** How a file would be read, and why it would be refused. Nothing of it is stored. */
export interface StatementPreview {
  country: Country;
  /** Its first rows. `day` is the day of the statement. */
  rows: readonly StoredLine[];
  /** Every row that would be set aside, with the reason. */
  unparsed: readonly { lineNo: number; reason: string }[];
  /** All lines, also those that are not shown. */
  lines: number;
  firstDay: string | null;
  lastDay: string | null;
  totalIn: string;
  totalOut: string;
  /** Balances that the file names, and the accounts that it is about. */
  opening: string | null;
  closing: string | null;
  accounts: readonly string[];
  /** Why the whole file would be refused; null: it would be imported. */
  refusal: string | null;
}

/** What a file is previewed as: a format, or a profile that is not stored yet. Null for the channel: its account and first day are not compared. */
export interface PreviewRequest {
  country: Country;
  channelId: string | null;
  as: { format: string } | { profile: ProfileFields };
}

/** A stored file, as long as its bytes are there. */
export interface StoredContent {
  merchantId: string;
  fileNo: number;
  size: number;
  sha256: string;
}

/** The file of this number in a country; null if there is none, or if its bytes were deleted. */
export async function findContent(
  { database }: DatabaseAccess,
  country: Country,
  fileNo: number,
): Promise<StoredContent | null> {
  const { rows } = await database.pool.query<StoredContent>(contentSql, [platformMerchantOf(country), fileNo]);
  return rows[0] ?? null;
}

/** Formats that a stored file can have, judged by its first bytes. */
export async function proposeFormatsOf(
  domain: DatabaseAccess & StatementAccess,
  content: StoredContent,
): Promise<string[]> {
  for await (const chunk of openContent(domain, content).bytes())
    return proposeFormats(domain, chunk.subarray(0, startOfFile));
  return [];
}

/**
 * Reads a file as its import would, and stores nothing. Refusals: format_not_found; invalid_input for a profile that is not stored;
 * preview_not_possible.
 */
export async function previewStatement(
  domain: DatabaseAccess & StatementAccess,
  { country, channelId, as }: PreviewRequest,
  content: StatementContent,
): Promise<Outcome<StatementPreview>> {
  const found = await formatToPreview(domain, as);
  if (!found.ok) return found;
  const expected = await domain.database.pool.query<Pick<FileToCheck, 'account' | 'others' | 'beginsOn'>>(
    expectedFileSql,
    [platformMerchantOf(country), channelId],
  );
  const known = expected.rows[0] ?? { account: null, others: [], beginsOn: null };
  const file = { country, ...known, fetchedDay: null, today: await todayOf(domain, country) };
  const rows: StoredLine[] = [];
  const unparsed: { lineNo: number; reason: string }[] = [];
  try {
    const checked = await checkStatement(file, withinReach(found.value), content, (_, row) => {
      if (row.kind === 'unparsed') unparsed.push({ lineNo: row.lineNo, reason: row.reason });
      if (row.kind === 'line' && rows.length < shownRows) {
        const { bookedOn: day, ...line } = row.line;
        rows.push({ ...line, day, merchantId: platformMerchantOf(country), fileNo: 0, channelId: channelId ?? '' });
      }
      return true;
    });
    if (!checked) throw new Error('a preview ended before its file');
    const { totals, problem } = checked;
    return { ok: true, value: { country, rows, unparsed, ...shownTotals(totals), refusal: problem } };
  } catch (error) {
    if (error instanceof StatementNotRead)
      return { ok: false, rejection: 'preview_not_possible', detail: error.message };
    throw error;
  }
}

/** A preview may have less time and memory than the import, so it cannot say that reading costs too much. */
function withinReach(format: StatementFormat): StatementFormat {
  return {
    ...format,
    async *read(bytes, options) {
      try {
        yield* format.read(bytes, options);
      } catch (error) {
        if (!(error instanceof StatementUnreadable) || error.reason !== 'too_costly') throw error;
        throw new StatementNotRead('reading it takes too long for a preview', { cause: error });
      }
    },
  };
}

async function formatToPreview(domain: FormatAccess, as: PreviewRequest['as']): Promise<Outcome<StatementFormat>> {
  if ('format' in as) {
    const format = await findFormat(domain, as.format);
    if (format) return { ok: true, value: format };
    const names = (await listFormats(domain)).map(({ name }) => name);
    return { ok: false, rejection: 'format_not_found', detail: names.join(', ') };
  }
  const settings = settingsOf(as.profile);
  if (Array.isArray(settings)) return { ok: false, rejection: 'invalid_input', fields: settings };
  const csv = domain.statementFormats[csvReader];
  if (!csv) return { ok: false, rejection: 'format_not_found' };
  return { ok: true, value: formatOfProfile(csv, { ...settings, version: 1 }) };
}

function shownTotals(totals: FileTotals) {
  const { lines, firstDay, lastDay, netIn, netOut, summaries } = totals;
  const stated = (field: 'opening' | 'closing'): string | null => {
    const sum = sumOf(summaries, field);
    return sum === null ? null : decimalText(sum);
  };
  const accounts = new Set(summaries.map(({ account }) => account).filter((account) => account !== null));
  return {
    lines,
    firstDay,
    lastDay,
    totalIn: decimalText(netIn),
    totalOut: decimalText(netOut),
    opening: stated('opening'),
    closing: stated('closing'),
    accounts: [...accounts],
  };
}
