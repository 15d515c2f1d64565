import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openDownload } from '@tidegate/domain/operators';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, matching, text } from '../line/fields.ts';
import { fileProblem } from '../line/file-problem.ts';
import { exportRow } from '../line/views.ts';
import { rejected } from '../operations/rejections.ts';

export const saveExportCommand = defineCommand({
  name: 'save-export',
  group: 'Exports',
  summary: 'write the file of an export that is ready to a new file, which only you can read. The download is recorded',
  kind: 'read',
  roles: ['support', 'operator', 'finance', 'admin'],
  respectsRestrictions: true,
  fields: {
    export: argument('<export>', 'its id', matching(/^[0-9a-f-]{36}$/, 'the id of an export')),
    file: argument('<file>', 'the path of the new file', text),
  },
  async run({ domain, operator }, { export: exportId, file }) {
    const opened = await openDownload(domain, operator, exportId);
    if (!opened.ok) return rejected(exportId, opened);
    try {
      await pipeline(opened.value.content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      const problem = fileProblem(error);
      if (problem === null) throw error;
      return refused(`${file} cannot be written: ${problem}`);
    }
    return done(`Saved as ${file}.`, exportRow(opened.value.found));
  },
});
