import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { returnNoOf, type SettlementCommand, type ShownLine } from '../../core/settlement.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { isUnavailable } from '../../database/connection-loss.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration, MerchantHeld } from '../../ledger/index.ts';
import { type Break, endProvenBreak, lockProvableBreak, noteProblem, postToBank } from '../../reconciliation/index.ts';
import { decideProof, type NamedBreak, type NamedSettlement, type Proof } from './decide-proof.ts';
import { namedBreaksSql, proveFileSql } from './queries.ts';
import { readNamed } from './read-named.ts';

type Access = ChangeAccess & Telemetry;
type Proven = Extract<Proof, { type: 'proven' }>;

const pageSize = 100;

/** The name in audit records and breaks of what a bank's statement shows. Operators have other ids. */
const byStatement = 'the statement';

/**
 * Confirms and fails the settlements that lines of statements name: one line, or several that show it in parts. The breaks of the lines end with their
 * settlements in one transaction. So a line proves once, and of a line and two operators only the first confirms. What does not fit stays a break that says why. It can be repeated. Resolves
 * to `found` if a line proved something: then another one may be able to.
 */
export async function proveSettlements(
  domain: Access,
  isEnding: () => boolean = () => false,
): Promise<'found' | 'nothing'> {
  let found: 'found' | 'nothing' = 'nothing';
  let last: [merchantId: string, breakNo: number] = ['', 0];
  for (;;) {
    const { rows } = await domain.database.pool.query<NamedBreak>(namedBreaksSql, [...last, pageSize]);
    for (const line of rows) {
      if (isEnding()) return found;
      if (await proveByLine(domain, line)) found = 'found';
    }
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) return found;
    last = [end.merchantId, end.breakNo];
  }
}

async function proveByLine(domain: Access, line: NamedBreak): Promise<boolean> {
  const { names, place } = line;
  try {
    const proof = decideProof(line, await readNamed(domain, domain.database.pool, line));
    const done = proof.type === 'proven' ? await change(domain, line, proof) : null;
    if (done?.ok) {
      domain.log.info({ names, place, settlements: done.value }, 'a statement line proved settlements');
      return true;
    }
    const problem = proof.type === 'problem' ? proof.text : refusalOf(line, done);
    if (problem !== null && problem !== line.reason) await noteProblem(domain, line, problem);
    return false;
  } catch (error) {
    if (error instanceof MerchantHeld) {
      // Lines of other merchants do not wait for this one.
      domain.log.warn({ names, place }, 'a merchant is busy; its statement line is looked at again soon');
      return false;
    }
    if (isUnavailable(error)) throw error;
    domain.log.error({ err: error, names, place }, 'a statement line cannot prove its settlement now');
    return false;
  }
}

/** Why the ledger refused what a line proves; null: the break or the settlement changed meanwhile, and the next pass decides again. */
function refusalOf({ names }: NamedBreak, done: Outcome<number> | null): string | null {
  if (done === null || done.ok || done.rejection === 'break_closed' || done.rejection === 'version_outdated')
    return null;
  return `it names ${names}, but the ledger refuses it: ${done.rejection}`;
}

/** Decides again under the locks, and writes all of it or nothing. Resolves to how many settlements the line proves. */
function change(
  domain: Access,
  line: NamedBreak,
  { settlements: seen, lines: seenLines }: Proven,
): Promise<Outcome<number>> {
  const { merchantId, breakNo, channelId, names, place } = line;
  const more = seenLines.length - 1;
  const reason = more === 0 ? `line ${place} names ${names}` : `line ${place} and ${more} more name ${names}`;
  const by: Decision = { actor: byStatement, approver: null, reason };
  const alsoHeld = seen.map((one) => one.merchantId);
  const named = { tenant: merchantId, change: 'proveSettlement', alsoHeld };
  return changeConfiguration<number>(domain, named, by, async (within) => {
    const locked = await lockLines(domain, within, line, seenLines);
    if (!locked) return { ok: false, rejection: 'break_closed' };
    const proof = decideProof({ ...line, kind: locked.kind }, await readNamed(domain, within.database.pool, line));
    if (proof.type === 'problem') return { ok: false, rejection: 'version_outdated' };
    const { settlements, isOfFile, lines } = proof;
    if (settlements.some((one) => !alsoHeld.includes(one.merchantId)) || !isSame(lines, seenLines))
      return { ok: false, rejection: 'version_outdated' };
    for (const one of lines) await endProvenBreak(within, one, line, by);
    if (isOfFile) await within.database.pool.query(proveFileSql, [merchantId, names, place]);
    const sign = line.direction === 'out' ? '-' : '';
    return {
      ok: true,
      value: {
        subject: `break ${breakNo}`,
        before: { state: locked.state, kind: locked.kind, amount: locked.amount, channelId, about: locked.subject },
        after: {
          state: 'posted',
          names,
          settlements: settlements.length,
          lines: lines.map((one) => one.place).join(', '),
        },
        // Each transfer is of one settlement, or else of one line.
        postings: (lines.length > 1 ? lines : settlements).flatMap(
          ({ amount }) => postToBank(channelId, `${sign}${amount}`) ?? [],
        ),
        commands: settlements.map((one) => commandOf(line, one, { lines, isOfFile }, by)),
        value: settlements.length,
      },
    };
  });
}

/** Locks the breaks of all lines, in the order of their numbers. Resolves to that of `line`; null: one of them ended or changed meanwhile. */
async function lockLines(
  domain: Access,
  within: ChangeTransaction,
  line: NamedBreak,
  lines: readonly NamedBreak[],
): Promise<Break | null> {
  let found: Break | null = null;
  for (const one of lines.toSorted((a, b) => a.breakNo - b.breakNo)) {
    const locked = await lockProvableBreak(domain, within, one);
    if (locked?.names !== one.names) return null;
    if (one.breakNo === line.breakNo) found = locked;
  }
  return found;
}

function isSame(lines: readonly NamedBreak[], seen: readonly NamedBreak[]): boolean {
  const numbers = new Set(seen.map(({ breakNo }) => breakNo));
  return lines.length === numbers.size && lines.every(({ breakNo }) => numbers.has(breakNo));
}

/** The longest reference that a settlement keeps. */
const longestReference = 128;

function commandOf(
  { direction, place, bankRef }: NamedBreak,
  { merchantId, seq, settlementNo, state, reference, paymentNo }: NamedSettlement,
  { lines, isOfFile }: Pick<Proven, 'lines' | 'isOfFile'>,
  by: Decision,
): SettlementCommand {
  const shown = paymentNo === null ? {} : { shown: { paymentNo, lines: lines.map(shownBy) } };
  const named = { merchantId, seq, settlementNo, by, line: { place, isOfFile, ...shown } };
  if (direction === 'out') {
    const known = (reference ?? bankRef ?? `line ${place}`).slice(0, longestReference);
    return { type: 'confirmSettlement', ...named, reference: known };
  }
  const detail = `line ${place} of the bank's statement shows its return`;
  return { type: 'failSettlement', ...named, seen: state, detail, bookingNo: returnNoOf(settlementNo) };
}

function shownBy({ place, amount, reported }: NamedBreak): ShownLine {
  return { place, amount, reference: reported };
}
