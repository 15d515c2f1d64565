import { makeKeyRing, UnreadableKeys } from '@tidegate/domain/admin';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, text } from '../line/fields.ts';
import { readRing, writeRing } from './key-folder.ts';
import { unusableFolder } from './unusable-folder.ts';

export const makeKeysCommand = defineCommand({
  name: 'make-keys',
  group: 'First set-up',
  summary:
    'make the keys in a folder: keys-admin has all of them, and each kind of process gets a file with its own. Existing keys stay. Needs no operator and no database',
  kind: 'local',
  roles: null,
  fields: {
    folder: argument('<folder>', 'where the key files are; it is made if it is missing', text),
  },
  async runLocal({ folder }) {
    try {
      const found = readRing(folder);
      if (found) {
        const files = writeRing(folder, found);
        return done('The keys were there. The files of the processes are written again.', { folder, files });
      }
      const files = writeRing(folder, makeKeyRing());
      return done('Each process gets the file of its kind as TIDEGATE_KEYS. Keep keys-admin away from them.', {
        folder,
        files,
      });
    } catch (error) {
      if (error instanceof UnreadableKeys) return refused(`${folder}/keys-admin is not a key file: ${error.message}`);
      return unusableFolder(folder, error);
    }
  },
  run: () => Promise.reject(new Error('make-keys runs without a domain')),
});
