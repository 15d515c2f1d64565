import { pageConfigurationHistory } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { refuseRestricted } from '../graphql/platform-only.ts';
import { merchantNumber } from '../merchant/merchants-query.ts';
import { ConfigurationVersionType } from './history-type.ts';

builder.queryField('merchantHistory', (t) =>
  t.connection({
    type: ConfigurationVersionType,
    description:
      "Changes of a merchant's settings, keys, fees and routes, newest first. Empty for a merchant that you may not see.",
    authScopes: { operator: true },
    args: {
      merchantId: t.arg.string({
        required: true,
        description: 'The merchant number.',
        validate: { schema: merchantNumber },
      }),
    },
    resolve: async (_root, { merchantId, ...page }, context) => {
      const request = pageOf('configuration_history', page);
      return connectionOf(await pageConfigurationHistory(context.domain, scopeOf(context), merchantId, request));
    },
  }),
);

builder.queryField('configurationHistory', (t) =>
  t.connection({
    type: ConfigurationVersionType,
    description: 'Changes of channels, bank codes and operators, newest first. Refused for restricted operators.',
    authScopes: { operator: true },
    resolve: async (_root, page, context) => {
      refuseRestricted(operatorOf(context));
      const request = pageOf('configuration_history', page);
      return connectionOf(await pageConfigurationHistory(context.domain, scopeOf(context), 'PLATFORM', request));
    },
  }),
);
