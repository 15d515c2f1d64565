import {
  deleteView,
  listSavedViews,
  type SavedView,
  savedViewInput,
  saveView,
  viewLimits,
} from '@tidegate/domain/operators';
import { refusal } from '../errors/errors.ts';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { ScreenEnum } from './screen-enum.ts';

const SavedViewType = builder.objectRef<SavedView>('SavedView').implement({
  description: 'A named query string of a screen: its filters, sort order and columns.',
  fields: (t) => ({
    viewId: t.exposeString('viewId', { description: 'Id of the view.' }),
    screen: t.field({ type: ScreenEnum, description: 'Screen of the view.', resolve: ({ screen }) => screen }),
    name: t.exposeString('name', { description: 'Name of the view.' }),
    query: t.exposeString('query', { description: 'Query string of the screen, without the question mark.' }),
    shared: t.exposeBoolean('shared', { description: 'Whether everybody who may see the screen sees the view.' }),
    ownerId: t.exposeString('ownerId', { description: 'Id of the operator who owns the view.' }),
    mayChange: t.boolean({
      description: 'Whether you may change and delete the view: you own it, or it is shared and you are an admin.',
      resolve: ({ ownerId, shared }, _args, context) => {
        const { operatorId, roles } = operatorOf(context);
        return ownerId === operatorId || (shared && roles.includes('admin'));
      },
    }),
    changedAt: t.expose('changedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

builder.queryField('savedViews', (t) =>
  t.field({
    type: [SavedViewType],
    description: `Your own views of a screen by name, then views that others share. At most ${viewLimits.ofOperator + viewLimits.sharedOfScreen}.`,
    authScopes: { operator: true },
    args: { screen: t.arg({ type: ScreenEnum, required: true, description: 'Screen of the views.' }) },
    resolve: async (_root, { screen }, context) => {
      const found = await listSavedViews(context.domain, operatorOf(context), screen);
      if (!found.ok) throw refusal('FORBIDDEN', found.detail ?? 'you may not see this screen');
      return found.value;
    },
  }),
);

const SaveViewInput = builder.inputType('SaveViewInput', {
  description: 'Input of saveView.',
  fields: (t) => ({
    viewId: t.string({
      description: 'View to change. Default: your own view of this screen and name, or a new one.',
    }),
    screen: t.field({ type: ScreenEnum, required: true, description: 'Screen of the view.' }),
    name: t.string({
      required: true,
      description: 'Name, 1 to 80 characters. One operator has each name once per screen.',
    }),
    query: t.string({
      required: true,
      description: 'Query string of the screen, at most 2,000 visible ASCII characters, percent-encoded.',
    }),
    shared: t.boolean({
      required: true,
      description: 'Whether everybody who may see the screen sees the view. Do not share personal data.',
    }),
  }),
});

builder.mutationField('saveView', (t) =>
  t.field({
    type: SavedViewType,
    description: `Save a view of a screen. You can own ${viewLimits.ofOperator} views. Changes of shared views are recorded in the audit log.`,
    authScopes: { operator: true },
    args: {
      input: t.arg({
        type: SaveViewInput,
        required: true,
        description: 'The view.',
        validate: { schema: savedViewInput },
      }),
    },
    errors: {
      types: problemTypes,
      union: { name: 'SaveViewResult', description: 'The saved view, or the reason why it was refused.' },
    },
    resolve: async (_root, { input }, context) => {
      const done = await saveView(context.domain, operatorOf(context), input);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);

builder.mutationField('deleteView', (t) =>
  t.field({
    type: SavedViewType,
    description: 'Delete a saved view: your own, or as an admin a shared one.',
    authScopes: { operator: true },
    args: { viewId: t.arg.string({ required: true, description: 'Id of the view.' }) },
    errors: {
      types: problemTypes,
      union: { name: 'DeleteViewResult', description: 'The view that was deleted, or the reason why it was not.' },
    },
    resolve: async (_root, { viewId }, context) => {
      const done = await deleteView(context.domain, operatorOf(context), viewId);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);
