import type { ChannelAccess } from '../../channels/index.ts';
import type { DirectoryAccess } from '../../configuration/index.ts';
import type { ChannelAnswer } from '../../core/channel-answer.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { isUnavailable } from '../../database/connection-loss.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../../ledger/index.ts';
import { enterReport, type ProvenReport } from '../../orders/index.ts';
import { makeDueSql, nowSql, postingSql } from './queries.ts';

interface PostedLine {
  merchantId: string;
  breakNo: number;
  channelId: string;
  day: string;
  currency: string;
  fileNo: number;
  lineNo: number;
  part: number;
  type: 'payin' | 'payout' | 'payout_return';
  gross: string;
  orderNo: string | null;
  /** The identity of its movement, by which matching finds it again. */
  reference: string;
  isOwnReference: boolean;
  /** How many such payments of the order other lines explain. */
  explained: number;
}

const pageSize = 100;

/** The breaks whose reports one run has entered, and when it was done, as the database writes times. */
export interface EnteredReports {
  breaks: readonly { merchantId: string; breakNo: number }[];
  at: string;
  /** Whether lines are left for the next run. */
  isMore: boolean;
}

export const nothingEntered: EnteredReports = { breaks: [], at: '-infinity', isMore: false };

/**
 * Enters the lines whose breaks two operators agreed to post as reports of their channel. It may run again at any time, because a payment is booked
 * once. A break ends when matching finds what the ledger has made of its line. Of one order it enters one line in each run: what that line is found to show
 * decides on the next one.
 */
export async function postReports(
  domain: LedgerAccess & LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess & Telemetry,
): Promise<EnteredReports> {
  const { pool } = domain.database;
  const breaks: { merchantId: string; breakNo: number }[] = [];
  const orders = new Set<string>();
  let isMore = false;
  let last: [merchantId: string, breakNo: number] = ['', 0];
  for (;;) {
    const { rows } = await pool.query<PostedLine>(postingSql, [...last, pageSize]);
    for (const line of rows) {
      const { merchantId, breakNo, orderNo } = line;
      if (orderNo !== null && orders.has(orderNo)) {
        isMore = true;
        continue;
      }
      if (orderNo !== null) orders.add(orderNo);
      try {
        await enterReport(domain, reportOf(line));
        await pool.query(makeDueSql, [merchantId, line.channelId, line.day]);
        breaks.push({ merchantId, breakNo });
      } catch (error) {
        if (isUnavailable(error)) throw error;
        domain.log.error(
          { err: error, merchantId, breakNo },
          'a statement line was not booked; it is tried again at the next run',
        );
      }
    }
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) break;
    last = [end.merchantId, end.breakNo];
  }
  const now = await pool.query<{ at: string }>(nowSql);
  return { breaks, at: now.rows[0]?.at ?? '-infinity', isMore };
}

/** The channel's answer that a line proves. */
function reportOf(line: PostedLine): ProvenReport {
  const { channelId, orderNo, currency, type, gross, reference, fileNo, lineNo, part, explained, isOwnReference } =
    line;
  const place = `${fileNo}/${lineNo}/${part}`;
  const payment = { reference, amount: gross };
  const answer: ChannelAnswer =
    type === 'payout_return'
      ? { outcome: 'returned', payments: [], returned: payment, reason: 'the statement shows that it came back' }
      : { outcome: 'paid', payments: [payment] };
  return {
    channelId,
    kind: type === 'payin' ? 'payin' : 'payout',
    orderNo,
    currency,
    answer,
    line: place,
    explained,
    isOwnReference,
  };
}
