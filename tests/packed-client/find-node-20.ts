import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '20.20.2';

/**
 * A Node 20, the oldest that the client supports: the one of TIDEGATE_NODE_20, else one on the PATH, else the one that npm has, put into
 * `folder`. Rejects if none can be installed, because then it is unknown whether the client runs there.
 */
export async function findNode20(folder: string): Promise<string> {
  const { TIDEGATE_NODE_20: named, PATH = '' } = process.env;
  const onPath = PATH.split(delimiter).map((bin) => join(bin, 'node'));
  for (const node of named === undefined ? onPath : [named])
    if (existsSync(node) && (await isNode20(node))) return node;
  if (named !== undefined) throw new Error(`TIDEGATE_NODE_20 is no Node 20: ${named}`);
  const name = `node-linux-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, `${name}@${VERSION}`]);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

async function isNode20(node: string): Promise<boolean> {
  const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }));
  return stdout.startsWith('v20.');
}
