import { rangeOf } from '../format/period.ts';
import type { Word } from '../format/words.ts';
import type { AuditFindingFilter, AuditLogFilter, FindingState } from '../generated/documents.generated.ts';
import { choice, type FilterValues, period, text, texts } from '../list/filters.ts';

/** What the filter bar of the audit log offers. */
export const auditFilters = {
  text: text('Text', 'in reason, subject, action or details'),
  at: period('Time'),
  actor: text('Operator', 'who did or approved it'),
  actions: texts('Action', 'creditCase, setFeeRule'),
  subject: text('About', 'order number, case 5, …'),
  merchantIds: texts('Merchant', 'M1001, PLATFORM'),
};

/** All URL parameters of the audit log. `record`: the open record. */
export const auditSearch = { ...auditFilters, record: text('Record') };

/** The API filter for the filters in the page's URL. */
export function toAuditFilter({ at, ...rest }: FilterValues<typeof auditFilters>, zone: string): AuditLogFilter {
  return { ...rest, ...rangeOf(at, zone) };
}

/** States of findings. */
export const findingStateWords: Readonly<Record<FindingState, Word>> = {
  OPEN: { label: 'Open', tone: 'bad' },
  REPAIRED: { label: 'Repaired', tone: 'good' },
  ACCEPTED: { label: 'Accepted', tone: 'idle' },
};

/** The log of the operators' actions, and what the audit of the ledger found. */
export const auditTabs = { '/audit': 'Actions of operators', '/audit/findings': 'Findings in the ledger' } as const;

/** What the filter bar of the findings offers. */
export const findingFilters = {
  rules: texts('Rule', 'as the list shows it'),
  merchantIds: texts('Merchant', 'M1001'),
};

/** Ways to look at the findings. */
export const findingViews = { open: 'Open', closed: 'Closed', all: 'All' } as const;

/** All URL parameters of the list of findings. */
export const findingSearch = { ...findingFilters, view: choice('View', findingViews) };

/** The API filter for the filters in the page's URL. */
export function toFindingFilter(
  filters: FilterValues<typeof findingFilters>,
  view: keyof typeof findingViews,
): AuditFindingFilter {
  if (view === 'open') return { ...filters, states: ['OPEN'] };
  return view === 'closed' ? { ...filters, states: ['REPAIRED', 'ACCEPTED'] } : filters;
}
