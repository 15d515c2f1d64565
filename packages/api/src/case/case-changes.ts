import type { MoneyCase } from '@tidegate/domain';
import { loadMoneyCases, moneyCaseFilter } from '@tidegate/domain/lists';
import * as z from 'zod';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { given } from '../graphql/given.ts';
import { listenAs } from '../graphql/listen-as.ts';
import type { EventOf } from '../live/live-event.ts';
import { CaseKindEnum, CaseType } from './case-type.ts';

const { merchantIds, kinds } = moneyCaseFilter.shape;
const caseNo = z.int().min(1).max(999_999_999);

const filters = builder.args((t) => ({
  merchantIds: t.stringList({
    description: 'Any of these merchants, at most 100. Default: all that you may see.',
    validate: given(merchantIds),
  }),
  kinds: t.field({
    type: [CaseKindEnum],
    description: 'Any of these kinds. Default: all.',
    validate: given(kinds),
  }),
}));

interface Wanted {
  merchantIds?: readonly string[] | null | undefined;
  kinds?: readonly MoneyCase['kind'][] | null | undefined;
}

/** Sends the cases of the changes that pass `isWanted`, if the caller may see them and has not left them out. */
function listenForCases(
  context: ApiContext,
  wanted: Wanted,
  isWanted: (change: EventOf<'case'>) => boolean,
): AsyncIterableIterator<MoneyCase> {
  return listenAs(context, 'case', async (changes, { countries, merchantIds }) => {
    const worthReading = changes.filter(
      (one) => (wanted.merchantIds?.includes(one.merchantId) ?? true) && isWanted(one),
    );
    const cases = await loadMoneyCases(context.domain, { countries, merchantIds }, worthReading);
    return cases.filter((one): one is MoneyCase => one !== null && (wanted.kinds?.includes(one.kind) ?? true));
  });
}

builder.subscriptionField('caseOpened', (t) =>
  t.field({
    type: CaseType,
    description: 'Newly opened cases of money in suspense. For earlier cases use `moneyCases`.',
    authScopes: { operator: true },
    args: filters,
    subscribe: (_root, wanted, context) =>
      listenForCases(context, wanted, ({ state, isNew }) => state === 'open' && isNew),
    resolve: (one) => one,
  }),
);

builder.subscriptionField('caseChanged', (t) =>
  t.field({
    type: CaseType,
    description:
      'Cases that are opened, changed or closed: also those that are repaid in part, or whose refund begins or ends. Several changes in quick succession may be sent as one.',
    authScopes: { operator: true },
    args: {
      ...filters,
      caseNo: t.arg.int({ description: 'Only cases with this number.', validate: { schema: caseNo } }),
    },
    subscribe: (_root, wanted, context) =>
      listenForCases(context, wanted, (one) => (wanted.caseNo ?? one.caseNo) === one.caseNo),
    resolve: (one) => one,
  }),
);
