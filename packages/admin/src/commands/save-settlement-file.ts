import { writeFile } from 'node:fs/promises';
import { openSettlementFile } from '@tidegate/domain/operators';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, matching, text } from '../line/fields.ts';
import { fileProblem } from '../line/file-problem.ts';
import { rejected } from '../operations/rejections.ts';

export const saveSettlementFileCommand = defineCommand({
  name: 'save-settlement-file',
  group: 'Settlements',
  summary: 'write a bank file of settlements to a new file, which only you can read. The download is recorded',
  // It changes nothing but the audit log.
  kind: 'read',
  roles: ['finance'],
  respectsRestrictions: true,
  fields: {
    fileNo: argument('<file-no>', 'its number', matching(/^SF[A-Z]{2}[0-9]{6,20}$/, 'the number of a bank file')),
    file: argument('<file>', 'the path of the new file', text),
  },
  async run({ domain, operator }, { fileNo, file }) {
    const opened = await openSettlementFile(domain, operator, fileNo);
    if (!opened.ok) return rejected(fileNo, opened);
    try {
      await writeFile(file, opened.value.content, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      const problem = fileProblem(error);
      if (problem === null) throw error;
      return refused(`${file} cannot be written: ${problem}`);
    }
    const { settlements, total, currency, sha256 } = opened.value.found;
    return done(`Saved as ${file}.`, { fileNo, settlements, total, currency, sha256 });
  },
});
