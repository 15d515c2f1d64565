import { generateKeyPair } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keyId, parsePublicKey } from '@tidegate/signature';
import { type Command, UsageProblem } from '../command.ts';

/** Makes a key pair. Only the owner can read the private key (mode 0600). Existing files are never overwritten. */
export const makeKeys: Command = {
  name: 'keys',
  usage: '[--folder .] [--name merchant] [--bits 2048]',
  summary: 'makes a pair of keys: NAME-private.pem and NAME-public.pem',
  takesWords: false,
  options: {
    folder: { type: 'string', value: 'FOLDER', help: 'where the two files are written (default: here)' },
    name: { type: 'string', value: 'NAME', help: 'how the files begin (default: merchant)' },
    bits: { type: 'string', value: 'N', help: '2048 (default), 3072 or 4096' },
  },
  async run({ flags }, { out }) {
    const { folder = '.', name = 'merchant', bits = '2048' } = flags;
    if (!['2048', '3072', '4096'].includes(bits))
      throw new UsageProblem(`--bits must be 2048, 3072 or 4096, not ${bits}`);
    const privateFile = join(folder, `${name}-private.pem`);
    const publicFile = join(folder, `${name}-public.pem`);
    for (const file of [privateFile, publicFile])
      if (existsSync(file))
        throw new UsageProblem(`${file} is there already, and is not overwritten: choose another --name`);
    const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: Number(bits) });
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    mkdirSync(folder, { recursive: true });
    // `wx` makes this fail if the file has appeared since the check.
    writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    writeFileSync(publicFile, publicPem, { mode: 0o644, flag: 'wx' });
    out(
      `${privateFile}  keep it secret: it signs in your name\n${publicFile}  give it to the service; its id is ${keyId(parsePublicKey(publicPem))}\n`,
    );
    return 0;
  },
};
