import {
  fieldsOf,
  listCsvProfiles,
  listCsvProfileVersions,
  nameOfProfile,
  type ProfileFields,
  type StoredProfile,
} from '@tidegate/domain/lists';
import { inputFields, operations } from '@tidegate/domain/operators';
import { addOperationForTwo } from '../approval/operation-field.ts';
import { builder } from '../graphql/builder.ts';
import { typeOf } from '../operation/input-type.ts';

/** The fields of a profile are those of the operation that sets it. */
const settings = inputFields(operations.setCsvProfile.input).filter(({ name }) => name !== 'basedOn');

const CsvProfileType = builder.objectRef<StoredProfile>('CsvProfile').implement({
  description: 'A version of a CSV profile: how files of a bank or a channel are read.',
  fields: (t) => ({
    ...Object.fromEntries(
      settings.map((field) => [
        field.name,
        t.field({
          // Each type fits its value: both come from the schema of the operation.
          type: typeOf(field) as 'String',
          nullable: !field.required,
          description: field.about,
          resolve: ({ profile }) => (fieldsOf(profile)[field.name as keyof ProfileFields] ?? null) as string,
        }),
      ]),
    ),
    version: t.int({ description: 'Number of the version, from 1.', resolve: ({ profile }) => profile.version }),
    format: t.string({
      description: 'Format in which its files are imported.',
      resolve: ({ profile }) => nameOfProfile(profile.name),
    }),
    createdBy: t.exposeString('createdBy', { description: 'Who requested this version.' }),
    approvedBy: t.exposeString('approvedBy', { nullable: true, description: 'Who approved it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time from which it counts.' }),
  }),
});

builder.queryField('csvProfiles', (t) =>
  t.field({
    type: [CsvProfileType],
    description: 'The newest version of each stored CSV profile, by name. Built-in profiles are not among them.',
    authScopes: { operator: true },
    resolve: (_root, _args, { domain }) => listCsvProfiles(domain),
  }),
);

builder.queryField('csvProfileVersions', (t) =>
  t.field({
    type: [CsvProfileType],
    description: 'All versions of a CSV profile, the newest first. Empty if there is none of this name.',
    authScopes: { operator: true },
    args: { name: t.arg.string({ required: true, description: 'Name of the profile.' }) },
    resolve: (_root, { name }, { domain }) => listCsvProfileVersions(domain, name),
  }),
);

addOperationForTwo('setCsvProfile', (t) => ({
  profile: t.field({
    type: CsvProfileType,
    nullable: true,
    description: 'The new version. Null if another operator must approve first.',
    resolve: ({ value }) => value,
  }),
}));
