import { copySeals } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, text } from '../line/fields.ts';
import { unusableFolder } from './unusable-folder.ts';

export const copySealsCommand = defineCommand({
  name: 'copy-seals',
  group: 'Checks',
  summary:
    'write the files of all seals that a folder lacks, for a new folder or after files were lost. It replaces no file. Exit code 1 if a seal or a file is not genuine',
  kind: 'read',
  roles: null,
  fields: { folder: argument('<folder>', 'the folder, which has to exist', text) },
  async run({ domain }, { folder }) {
    let copied: Awaited<ReturnType<typeof copySeals>>;
    try {
      copied = await copySeals(domain, folder);
    } catch (error) {
      return unusableFolder(folder, error);
    }
    const { written, same, violations } = copied;
    const result = { written, same, violations: violations.map((one) => ({ ...one })) };
    if (violations.length === 0) return done(`${written} written, ${same} were there.`, result);
    return { ok: true, message: `Violations: ${violations.length}`, result, ended: 'violated' };
  },
});
