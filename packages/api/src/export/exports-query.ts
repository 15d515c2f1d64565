import { pageExports } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { connectionOf, pageOf } from '../graphql/paging.ts';
import { ExportType } from './export-type.ts';

builder.queryField('exports', (t) =>
  t.connection({
    type: ExportType,
    description: 'Your exports, newest first. Admins see those of all operators.',
    authScopes: { operator: true },
    resolve: async (_root, page, context) => {
      context.signal.throwIfAborted();
      return connectionOf(await pageExports(context.domain, operatorOf(context), pageOf('exports', page)));
    },
  }),
);
