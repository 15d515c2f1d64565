import type { AuditState } from '@tidegate/domain';
import { Gauge, type Registry } from 'prom-client';

/**
 * `tidegate_ledger_violations`: open findings by rule, until operators have closed them; `tidegate_audit_finished_timestamp_seconds`: when each
 * kind of run ended last. Both are the database's: whichever worker is asked says the same.
 */
export function addAuditGauges(registry: Registry, read: () => Promise<AuditState>): void {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    set: (state: AuditState) => [string, number][],
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const state = await read().catch(() => null);
        // Unknown is not none: without the database there is no figure.
        this.reset();
        for (const [value, figure] of state ? set(state) : []) this.labels(value).set(figure);
      },
    });
  gauge('tidegate_ledger_violations', 'Open findings of the audit, by the rule that is broken', 'rule', ({ open }) =>
    open.map(({ rule, count }) => [rule, count]),
  );
  gauge(
    'tidegate_audit_finished_timestamp_seconds',
    'When the audit last ended, by kind of run: of what is new, and of the whole',
    'run',
    ({ lastRuns }) =>
      lastRuns.flatMap(({ run, finishedAt }) =>
        finishedAt === null ? [] : [[run, finishedAt / 1000] as [string, number]],
      ),
  );
}
