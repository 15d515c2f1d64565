import {
  changeKeys,
  finishKeyChange,
  isPurpose,
  type KeyRing,
  type KeyStep,
  nextStep,
  openVault,
  type Purpose,
  purposes,
  UnreadableKeys,
} from '@tidegate/domain/admin';
import { InvalidArgumentError } from 'commander';
import { done, refused } from '../line/answer.ts';
import { type Context, defineCommand } from '../line/command.ts';
import { argument, optional, text } from '../line/fields.ts';
import { rejected } from '../operations/rejections.ts';
import { readRing, writeRing } from './key-folder.ts';
import { unusableFolder } from './unusable-folder.ts';

const restart = 'Give every process its new key file, start each again, and run this command once more';
const after: Record<KeyStep, string> = {
  add: `New keys are made. They seal nothing yet. ${restart}.`,
  use: `The new keys seal from the next start on. ${restart}.`,
  drop: 'Everything is sealed again, and the old keys are taken out of the files. Start every process with its new file.',
};

export const changeSecretCommand = defineCommand({
  name: 'change-secret',
  group: 'First set-up',
  summary:
    'exchange keys, in three steps that let services run: add new keys, use them, and seal everything again without the old ones. Each call does the next step, and a step that broke off is done again',
  kind: 'change',
  roles: ['admin'],
  fields: {
    folder: argument('<folder>', 'the folder of make-keys', text),
    purposes: optional(
      '--purposes <list>',
      `which keys, with commas between them: ${purposes.join(', ')}. Default: all`,
      list,
    ),
    leaked: optional(
      '--leaked <yes>',
      'yes: the first two steps at once. A process that has not started again cannot open what the others seal',
      yes,
    ),
  },
  async run(context, { folder, purposes: chosen = purposes, leaked }) {
    try {
      const ring = readRing(folder);
      if (!ring) return refused(`${folder} has no file keys-admin: make-keys makes it`);
      const steps = new Set(chosen.map((purpose) => nextStep(ring, purpose)));
      const [step] = steps;
      if (step === undefined || steps.size > 1)
        return refused(
          `these keys are at different steps: ${chosen.map((one) => `${one} ${nextStep(ring, one)}`).join(', ')}`,
        );
      const problem = step === 'drop' ? await sealAgain(context, ring, chosen) : null;
      if (problem) return problem;
      const changed = changeKeys(ring, step, chosen);
      const last = step === 'add' && leaked ? 'use' : step;
      writeRing(folder, last === step ? changed : changeKeys(changed, last, chosen));
      return done(after[last], { step: last, purposes: chosen });
    } catch (error) {
      if (error instanceof UnreadableKeys) return refused(`${folder}/keys-admin is not a key file: ${error.message}`);
      return unusableFolder(folder, error);
    }
  },
});

/** Null if nothing needs the old keys any more. */
async function sealAgain({ domain, operator, reason, print }: Context, ring: KeyRing, chosen: readonly Purpose[]) {
  // The folder's keys, which may be newer than those of the environment.
  const within = { ...domain, vault: openVault(ring) };
  const by = { actor: operator.operatorId, approver: null, reason };
  const sealed = await finishKeyChange(within, chosen, by, print);
  if (!sealed.ok) return rejected('secret', sealed);
  const { unreadable } = sealed.value;
  if (unreadable.length === 0) return null;
  const some = unreadable.slice(0, 10).join(', ');
  return refused(`no key opens ${unreadable.length} texts, so the old keys stay: ${some}. Enter them again`);
}

function list(text: string): Purpose[] {
  const found = text.split(',').map((one) => one.trim());
  if (!found.every(isPurpose)) throw new InvalidArgumentError(`Expected some of ${purposes.join(', ')}.`);
  return found;
}

function yes(text: string): true {
  if (text !== 'yes') throw new InvalidArgumentError('Expected yes.');
  return true;
}
