import type { MoneyCase } from '@tidegate/domain';
import { loadMoneyCases, moneyCaseFilter } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CaseKindEnum, CaseType } from '../case/case-type.ts';
import { given } from './given.ts';
import { listenAs } from './listen-as.ts';

const { merchantIds, kinds } = moneyCaseFilter.shape;

builder.subscriptionField('caseOpened', (t) =>
  t.field({
    type: CaseType,
    description: 'Newly opened cases of money in suspense. For earlier cases use `moneyCases`.',
    authScopes: { operator: true },
    args: {
      merchantIds: t.arg.stringList({
        description: 'Any of these merchants, at most 100. Default: all that you may see.',
        validate: given(merchantIds),
      }),
      kinds: t.arg({
        type: [CaseKindEnum],
        description: 'Any of these kinds. Default: all.',
        validate: given(kinds),
      }),
    },
    subscribe: (_root, wanted, context) =>
      listenAs(context, 'case', async (changes, { countries, merchantIds }) => {
        const opened = changes.filter(
          ({ state, merchantId }) => state === 'open' && (wanted.merchantIds?.includes(merchantId) ?? true),
        );
        const cases = await loadMoneyCases(context.domain, { countries, merchantIds }, opened);
        return cases.filter((one): one is MoneyCase => one !== null && (wanted.kinds?.includes(one.kind) ?? true));
      }),
    resolve: (one) => one,
  }),
);
