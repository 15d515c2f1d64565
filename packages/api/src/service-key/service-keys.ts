import { listCommonServiceKeys } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { MerchantType } from '../merchant/merchant-type.ts';
import { addOperationForTwo } from '../operation/operation-field.ts';
import { refuseRestricted } from '../platform-only.ts';

type CommonServiceKey = Awaited<ReturnType<typeof listCommonServiceKeys>>[number];

const CommonServiceKeyType = builder.objectRef<CommonServiceKey>('CommonServiceKey').implement({
  description:
    'The key with which the version before signed for all merchants. Its private part is sealed and never shown.',
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Its id, as X-Key-Id and as kid of the JWKS.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it signs for merchants that do not use their own key yet; null: no end is set.',
    }),
  }),
});

builder.queryField('commonServiceKeys', (t) =>
  t.field({
    type: [CommonServiceKeyType],
    description:
      'After an upgrade: the common key, and those that it replaced. Empty where every merchant always had its own. Not for restricted operators.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => {
      refuseRestricted(operatorOf(context));
      return listCommonServiceKeys(context.domain);
    },
  }),
);

const merchantDescription = 'The merchant with its keys as they are then.';

for (const name of ['rotateServiceKey', 'useOwnServiceKey'] as const)
  addOperationForTwo(name, (t) => ({
    merchant: t.field({
      type: MerchantType,
      nullable: true,
      description: merchantDescription,
      resolve: ({ value }) => value?.merchantId ?? null,
    }),
    keyId: t.string({
      nullable: true,
      description: 'The id of the current key.',
      resolve: ({ value }) => value?.keyId ?? null,
    }),
    publicKeyPem: t.string({
      nullable: true,
      description: 'The public key, PEM (SPKI), for the merchant.',
      resolve: ({ value }) => value?.publicKeyPem ?? null,
    }),
  }));

addOperationForTwo('endCommonServiceKey', (t) => ({
  keyId: t.string({
    nullable: true,
    description: 'The id of the common key.',
    resolve: ({ value }) => value?.keyId ?? null,
  }),
  endsAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it ends.',
    resolve: ({ value }) => value?.endsAt ?? null,
  }),
}));
