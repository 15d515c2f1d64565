import type { PoolClient } from 'pg';
import type { Country } from '../../core/country.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { countries, timeZoneOf } from '../../countries/index.ts';
import { isUnavailable } from '../../database/connection-loss.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { fillAbsencesSql, wantAbsencesSql } from '../absences/queries.ts';
import { type FoundAnswer, pairAnswers } from '../answers/pair-answers.ts';
import { foundAnswersSql, storeAnswersSql } from '../answers/queries.ts';
import type { EnteredReports } from '../breaks/post-reports.ts';
import {
  changeReasonSql,
  endExplainedSql,
  matchedDaysSql,
  openBreaksSql,
  returnEnteredSql,
  wantLineBreaksSql,
  wantMissingAtChannelSql,
} from '../breaks/queries.ts';
import { openPace, type Pace, type RestAfter } from '../pace.ts';
import {
  analyzeOpenSql,
  createOpenTablesSql,
  differingSteps,
  dueChannelSql,
  fillDueDaysSql,
  fillOpenExpectationsSql,
  fillOpenLinesSql,
  isMoreDueSql,
  lockWithdrawnSql,
  matchingSteps,
  takeOverSteps,
} from './queries.ts';

/** How long one statement may take: a day of a million lines takes longer than what merchants wait for. */
const timeoutMs = 240_000;

interface DueChannel {
  merchantId: string;
  channelId: string;
  currency: string;
  country: Country;
  tolerance: string;
}

/** Position of a pass over the channels. */
interface Place {
  merchantId: string;
  channelId: string;
}

/**
 * Matches the due days of all channels, one channel after the other. One that fails does not keep the others waiting. Resolves to whether more days of a
 * channel are due.
 */
export async function matchChannels(
  domain: DatabaseAccess & Pick<Telemetry, 'log'>,
  entered: EnteredReports,
  isEnding: () => boolean,
  restAfter?: RestAfter,
): Promise<boolean> {
  const pass = { last: { merchantId: '', channelId: '' } as Place, isMoreDue: false };
  for (let isMore = true; isMore && !isEnding(); ) {
    const before = pass.last;
    try {
      isMore = await matchNextChannel(domain, entered, pass, () => openPace(isEnding, restAfter));
    } catch (error) {
      // If there is no channel, the search for one failed.
      if (isUnavailable(error) || pass.last === before) throw error;
      domain.log.error({ err: error, ...pass.last }, 'a channel cannot be reconciled now');
    }
  }
  return pass.isMoreDue;
}

/**
 * Matches the oldest due days of the channel after `pass.last`, and lists what is left as breaks, in one transaction. To run it again changes nothing.
 * What is on a closed day is neither matched nor posted; if it is open, it is a break of that day. Resolves to whether there was such a channel.
 */
function matchNextChannel(
  domain: DatabaseAccess,
  entered: EnteredReports,
  pass: { last: Place; isMoreDue: boolean },
  beginStep: () => Pace,
): Promise<boolean> {
  return runExclusively(domain, 'reconciliation', async (client) => {
    const zones = countries.map((country) => timeZoneOf[country]);
    const place = [pass.last.merchantId, pass.last.channelId];
    const { rows } = await client.query<DueChannel>(dueChannelSql, [...place, countries, zones]);
    const [channel] = rows;
    if (!channel) return false;
    pass.last = channel;
    pass.isMoreDue = (await matchChannel(client, channel, entered, beginStep)) || pass.isMoreDue;
    return true;
  });
}

async function matchChannel(
  client: PoolClient,
  { merchantId, channelId, currency, country, tolerance }: DueChannel,
  entered: EnteredReports,
  beginStep: () => Pace,
): Promise<boolean> {
  const run = <Row extends object>(text: string, values: unknown[] = []) => {
    // The driver's own limit for one statement.
    const patient = { text, values, query_timeout: timeoutMs + 5_000 };
    return client.query<Row>(patient);
  };
  // Each step counts alone, so that small days are matched without rests.
  const runAndRest = async (text: string, values?: unknown[]) => {
    const step = beginStep();
    await run(text, values);
    await step.rest();
  };
  await client.query(`set local statement_timeout = ${timeoutMs}`);
  await client.query(createOpenTablesSql);
  const of = [merchantId, channelId];
  await runAndRest(fillDueDaysSql, of);
  await runAndRest(fillOpenLinesSql, [...of, currency]);
  await run(lockWithdrawnSql, of);
  await runAndRest(fillOpenExpectationsSql, [...of, timeZoneOf[country]]);
  await runAndRest(fillAbsencesSql, of);
  await runAndRest(analyzeOpenSql);
  const given = { nothing: [], tolerance: [tolerance], channel: [channelId] };
  for (const { text, takes } of matchingSteps(tolerance !== '0.00'))
    await runAndRest(text, [merchantId, ...given[takes]]);
  for (const text of takeOverSteps) await runAndRest(text, of);
  for (const text of differingSteps) await runAndRest(text, [currency]);
  // From here on it locks breaks, for which operators would wait.
  await run(wantLineBreaksSql, [...of, currency]);
  await run(wantMissingAtChannelSql);
  await run(wantAbsencesSql);
  const { rows: found } = await run<FoundAnswer>(foundAnswersSql, of);
  const answers = pairAnswers(found);
  const pairs = [answers.map(({ subject }) => subject), answers.map(({ breakNo }) => breakNo)];
  if (answers.length > 0) await run(storeAnswersSql, pairs);
  await run(endExplainedSql, of);
  await run(changeReasonSql, [merchantId]);
  await run(openBreaksSql, of);
  const ofTenant = entered.breaks.filter((one) => one.merchantId === merchantId).map(({ breakNo }) => breakNo);
  if (ofTenant.length > 0) await run(returnEnteredSql, [...of, ofTenant, entered.at]);
  await run(matchedDaysSql, of);
  const { rows } = await client.query<{ isMore: boolean }>(isMoreDueSql, of);
  return rows[0]?.isMore === true;
}
