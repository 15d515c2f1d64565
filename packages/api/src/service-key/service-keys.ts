import { listCommonServiceKeys } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { MerchantType } from '../merchant/merchant-type.ts';
import { addOperationForTwo } from '../operation/operation-field.ts';
import { refuseRestricted } from '../platform-only.ts';

type CommonServiceKey = Awaited<ReturnType<typeof listCommonServiceKeys>>[number];

const CommonServiceKeyType = builder.objectRef<CommonServiceKey>('CommonServiceKey').implement({
  description:
    'The key with which the previous version signed for all merchants. Its private part is sealed and never shown.',
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Key id, as in `X-Key-Id` and as `kid` of the JWKS.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'It signs until this time for merchants that do not use their own key yet. Null: no end is set.',
    }),
  }),
});

builder.queryField('commonServiceKeys', (t) =>
  t.field({
    type: [CommonServiceKeyType],
    description:
      'After an upgrade: the common keys of the previous version. Empty if every merchant always had its own key. Hidden from restricted operators.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => {
      refuseRestricted(operatorOf(context));
      return listCommonServiceKeys(context.domain);
    },
  }),
);

const merchantDescription = 'The merchant and its keys after the operation.';

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
      description: 'Key id of the current key.',
      resolve: ({ value }) => value?.keyId ?? null,
    }),
    publicKeyPem: t.string({
      nullable: true,
      description: 'Public key as PEM (SPKI), for the merchant.',
      resolve: ({ value }) => value?.publicKeyPem ?? null,
    }),
  }));

addOperationForTwo('endCommonServiceKey', (t) => ({
  keyId: t.string({
    nullable: true,
    description: 'Key id of the common key.',
    resolve: ({ value }) => value?.keyId ?? null,
  }),
  endsAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'End of its use.',
    resolve: ({ value }) => value?.endsAt ?? null,
  }),
}));
