import { listServiceKeys } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { addOperationForTwo } from '../operation/operation-field.ts';
import { refuseRestricted } from '../platform-only.ts';

type ServiceKey = Awaited<ReturnType<typeof listServiceKeys>>[number];

const ServiceKeyType = builder.objectRef<ServiceKey>('ServiceKey').implement({
  description: 'A key with which the service signs notifications. Its private part is sealed, and never told.',
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Its id, as X-Key-Id and as kid of the JWKS.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it stays published; null: it signs.',
    }),
  }),
});

builder.queryField('serviceKeys', (t) =>
  t.field({
    type: [ServiceKeyType],
    description:
      "The keys with which the service signs, the one that signs now first. They are the whole platform's: not for operators who are restricted.",
    authScopes: { operator: true },
    resolve: (_root, _args, context) => {
      refuseRestricted(operatorOf(context));
      return listServiceKeys(context.domain);
    },
  }),
);

addOperationForTwo('rotateServiceKey', (t) => ({
  keyId: t.string({
    nullable: true,
    description: 'The id of the key that signs from now on.',
    resolve: ({ value }) => value?.keyId ?? null,
  }),
}));
