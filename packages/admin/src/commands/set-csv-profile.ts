import { fieldsOf } from '@tidegate/domain/lists';
import { operations, requestOperation } from '@tidegate/domain/operators';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { required, text } from '../line/fields.ts';
import { profileRow } from '../line/views.ts';
import { pending } from '../operations/change.ts';
import { rejected } from '../operations/rejections.ts';
import { readProfile } from './read-profile.ts';

const { summary, roles } = operations.setCsvProfile;

export const setCsvProfileCommand = defineCommand({
  name: 'set-csv-profile',
  group: 'Reconciliation',
  summary: `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`.replace(/\.$/, ''),
  kind: 'change',
  roles,
  fields: {
    file: required('--file <path>', 'the profile as JSON; the path of a file, or - for standard input', text),
  },
  async run({ domain, operator, approver, reason, readInput }, { file }) {
    const settings = readProfile(await readInput(file));
    if (typeof settings === 'string') return refused(`${file}: ${settings}`);
    const input = fieldsOf(settings);
    const options = { approver: approver ?? undefined };
    const result = await requestOperation(domain, operator, 'setCsvProfile', input, reason, options);
    if (!result.ok) return rejected(file, result);
    if (result.state === 'pending') return pending(result.approval);
    const row = profileRow(result.value);
    return done(`Profile ${row.name} has the version ${row.version}. Its files have the format ${row.format}.`, row);
  },
});
