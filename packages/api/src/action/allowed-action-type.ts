import {
  type ActionName,
  type AllowedAction,
  allowedActions,
  approvalActions,
  type Noun,
  operations,
  rejections,
  workActions,
} from '@tidegate/domain/operators';
import DataLoader from 'dataloader';
import { ReturnWayEnum, RoleEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { ProblemReasonEnum } from '../operation/problems.ts';

const summaries: Record<(typeof approvalActions)[number] | (typeof workActions)[number], string> = {
  approve: 'Approve the request of another operator, which executes it.',
  reject: 'Reject the request of another operator.',
  withdraw: 'Withdraw your own request.',
  addNote: 'Add a note.',
  takeWork: 'Take it, so that others know that you work on it.',
  releaseWork: 'Release it, so that others can take it.',
  assignWork: 'Assign it to an operator.',
};

const names = [...(Object.keys(operations) as (keyof typeof operations)[]), ...approvalActions, ...workActions];

/** Converts a name, for example `cancelOrder` to CANCEL_ORDER. */
function enumName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

const ActionEnum = builder.enumType('Action', {
  description: 'A mutation, by its name.',
  values: Object.fromEntries(
    names.map((name) => {
      const summary =
        name in summaries
          ? summaries[name as keyof typeof summaries]
          : operations[name as keyof typeof operations].summary;
      return [enumName(name), { value: name, description: `\`${name}\`. ${summary}` }];
    }),
  ) as Record<string, { value: ActionName; description: string }>,
});

const AllowedActionType = builder.objectRef<AllowedAction>('AllowedAction').implement({
  description:
    'A mutation that applies here, and whether you may send it now. The mutation decides by the same rules and may still refuse its input.',
  fields: (t) => ({
    action: t.field({ type: ActionEnum, description: 'The mutation.', resolve: ({ name }) => name }),
    allowed: t.boolean({
      description: 'Whether you may do it now, alone or with an approval.',
      resolve: ({ refused }) => refused === null,
    }),
    reason: t.field({
      type: ProblemReasonEnum,
      nullable: true,
      description: 'Reason why you may not do it, for programs. Null: you may.',
      resolve: ({ refused }) => refused?.rejection ?? null,
    }),
    message: t.string({
      nullable: true,
      description: 'Reason why you may not do it, for people. Null: you may.',
      resolve: ({ refused }) => refused && messageOf(refused),
    }),
    way: t.field({
      type: ReturnWayEnum,
      nullable: true,
      description:
        'For RETURN_CASE: how the money is returned. RETURN_CASE is listed once for each way. Null for other mutations.',
      resolve: ({ way }) => way,
    }),
    needsApproval: t.exposeBoolean('needsApproval', {
      description: 'True if another operator must approve it. See `approvalAbove` where this depends on the amount.',
    }),
    approvalAbove: t.expose('approvalAbove', {
      type: 'Decimal',
      nullable: true,
      description:
        'What is left of your daily limit, in the currency of the amount. A larger amount needs an approval. Null: no limit.',
    }),
    approverRoles: t.field({
      type: [RoleEnum],
      description: 'Any of these roles can approve it. Empty if no approval is needed.',
      resolve: ({ approverRoles }) => [...approverRoles],
    }),
  }),
});

function messageOf({ rejection, detail }: NonNullable<AllowedAction['refused']>): string {
  const [, text] = rejections[rejection];
  return detail === undefined ? text : `${text}: ${detail}`;
}

/** The loader of each request. It checks all objects of a page together. */
const loaders = new WeakMap<ApiContext, DataLoader<Noun, AllowedAction[]>>();

/** The field `actions` of an object: the operations that the caller may do with it now. */
export function actionsOf<Row>(nounOf: (row: Row) => Noun) {
  return {
    type: [AllowedActionType] as [typeof AllowedActionType],
    description: 'What you may do with it now, and if not, why.',
    resolve: (row: Row, _args: object, context: ApiContext) => loaderOf(context).load(nounOf(row)),
  };
}

function loaderOf(context: ApiContext): DataLoader<Noun, AllowedAction[]> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<Noun, AllowedAction[]>(
    async (nouns) => {
      context.signal.throwIfAborted();
      return allowedActions(context.domain, operatorOf(context), nouns);
    },
    { cache: false, maxBatchSize: 1_000 },
  );
  loaders.set(context, loader);
  return loader;
}
