import {
  type colourSchemes,
  type PreferencesOfOperator,
  preferencesInput,
  readPreferences,
  type Screen,
  setPreferences,
} from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { ScreenEnum } from './screen-enum.ts';

const ColourSchemeEnum = builder.enumType('ColourScheme', {
  description: 'Colours of the console.',
  values: {
    LIGHT: { value: 'light', description: 'Dark text on light colours.' },
    DARK: { value: 'dark', description: 'Light text on dark colours.' },
    SYSTEM: { value: 'system', description: 'As the device is set.' },
  } as const satisfies Record<Uppercase<(typeof colourSchemes)[number]>, { value: string; description: string }>,
});

const ScreenColumns = builder.objectRef<{ screen: Screen; names: string[] }>('ScreenColumns').implement({
  description: 'The chosen columns of a screen.',
  fields: (t) => ({
    screen: t.field({ type: ScreenEnum, description: 'The screen.', resolve: ({ screen }) => screen }),
    names: t.exposeStringList('names', { description: 'Names of the columns, in their order.' }),
  }),
});

const PreferencesType = builder.objectRef<PreferencesOfOperator>('Preferences').implement({
  description: 'How the console looks for you. It applies only to you.',
  fields: (t) => ({
    timeZone: t.exposeString('timeZone', { description: 'Time zone of times, as an IANA name. Default: UTC.' }),
    colourScheme: t.field({
      type: ColourSchemeEnum,
      description: 'Colours of the console. Default: SYSTEM.',
      resolve: ({ colourScheme }) => colourScheme,
    }),
    isDefault: t.exposeBoolean('isDefault', { description: 'True until you set any of them.' }),
    columns: t.field({
      type: [ScreenColumns],
      description: 'The columns that you chose, for each screen where you did.',
      resolve: ({ columns }) =>
        (Object.entries(columns) as [Screen, string[]][]).map(([screen, names]) => ({ screen, names })),
    }),
  }),
});

builder.queryField('preferences', (t) =>
  t.field({
    type: PreferencesType,
    description: 'Your preferences.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => readPreferences(context.domain, operatorOf(context)),
  }),
);

const ScreenColumnsInput = builder.inputType('ScreenColumnsInput', {
  description: 'The columns of a screen.',
  fields: (t) => ({
    screen: t.field({ type: ScreenEnum, required: true, description: 'The screen.' }),
    names: t.stringList({
      description: 'Names of the columns in their order, at most 40. Null: the default columns of the screen.',
    }),
  }),
});

const PreferencesInput = builder.inputType('PreferencesInput', {
  description: 'Preferences to set. Omitted fields stay unchanged.',
  fields: (t) => ({
    timeZone: t.string({ description: 'Time zone of times, as an IANA name such as Asia/Kolkata.' }),
    colourScheme: t.field({ type: ColourSchemeEnum, description: 'Colours of the console.' }),
    columns: t.field({
      type: [ScreenColumnsInput],
      description: 'Columns of these screens. Other screens stay unchanged.',
    }),
  }),
});

builder.mutationField('setPreferences', (t) =>
  t.field({
    type: PreferencesType,
    description: 'Set your preferences. This is not recorded in the audit log.',
    authScopes: { operator: true },
    args: {
      input: t.arg({
        type: PreferencesInput,
        required: true,
        description: 'What to set.',
        validate: { schema: preferencesInput },
      }),
    },
    resolve: (_root, { input }, context) => setPreferences(context.domain, operatorOf(context), input),
  }),
);
