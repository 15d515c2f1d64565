import { countResend, loadMerchants, type ResendCount } from '@tidegate/domain/lists';
import { operations, rejections } from '@tidegate/domain/operators';
import { refusal } from '../errors/errors.ts';
import { builder } from '../graphql/builder.ts';
import { scopeOf } from '../graphql/paging.ts';
import { inputTypeOf, withoutNulls } from '../operation/input-type.ts';

const { roles, input: resendInput } = operations.resendNotifications;
/** The input of the mutation, without the key that makes it happen once. */
const countInput = resendInput.omit({ requestKey: true });

const ResendCountType = builder.objectRef<ResendCount>('ResendCount').implement({
  description: 'What resendNotifications would do now.',
  fields: (t) => ({
    matched: t.exposeInt('matched', {
      description: 'Number of notifications that match. Beyond 10,000 none is sent, and counting stops.',
    }),
    wouldSend: t.exposeInt('wouldSend', {
      description: 'Number of notifications that would be sent again. The others are already being sent.',
    }),
  }),
});

builder.queryField('resendCount', (t) =>
  t.field({
    type: ResendCountType,
    nullable: true,
    description: `Counts what resendNotifications would send now, and sends nothing. Null if you may not see the merchant. Roles: ${roles.join(', ')}.`,
    authScopes: { roles },
    args: {
      input: t.arg({
        type: inputTypeOf('ResendCount', countInput),
        required: true,
        description: 'Input of resendNotifications, without its request key.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const parsed = countInput.safeParse(withoutNulls(countInput, input));
      if (!parsed.success) {
        const fields = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), reason: message }));
        throw refusal('BAD_USER_INPUT', fields.map(({ path, reason }) => `${path} ${reason}`).join('; '), fields);
      }
      const { merchantId, ...range } = parsed.data;
      const [merchant] = await loadMerchants(context.domain, scopeOf(context), [merchantId]);
      if (!merchant) return null;
      const counted = await countResend(context.domain, merchantId, range);
      if (!counted.ok) throw refusal('BAD_USER_INPUT', rejections[counted.rejection][1]);
      return counted.value;
    },
  }),
);
