import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, readStages, type Step, stepsOf } from './dockerfile.ts';

const run = promisify(execFile);
// The types of this package promise an export called default, which it does not have.
const dockerignore: typeof import('@balena/dockerignore').default = createRequire(import.meta.url)(
  '@balena/dockerignore',
);

/** What would be an image: a folder, and how it is run. */
export interface Image {
  /** The container's WORKDIR, on this machine. */
  folder: string;
  /** ENTRYPOINT, as the container's user where this is root. */
  command: readonly [string, ...string[]];
  /** The same way, what HEALTHCHECK runs. */
  healthCheck: readonly [string, ...string[]] | null;
  env: Readonly<Record<string, string>>;
}

export interface Images {
  of(target: string): Image;
  remove(): Promise<void>;
}

/**
 * Does what the Dockerfile says without an engine: the context that .dockerignore leaves, the RUN and COPY steps in plain folders, and
 * the entry points with this Node, which may not run TypeScript. What only an engine can do, the base image and isolation, is left out.
 */
export async function buildImages(targets: readonly string[]): Promise<Images> {
  const place = mkdtempSync(join(tmpdir(), 'tidegate-images-'));
  chmodSync(place, 0o755);
  // Other users may have no right to read the repository's folder.
  const node = join(place, 'node');
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const stages = readStages();
  const inStage = (stage: string, path: string) => join(place, stage, path);
  const carryOut = async (stage: string): Promise<void> => {
    let workdir = '/';
    for (const { word, flags, text } of stepsOf(stages, stage)) {
      if (word === 'WORKDIR') workdir = text;
      const here = inStage(stage, workdir);
      mkdirSync(here, { recursive: true });
      const [from = '', to = ''] = text.split(/\s+/);
      if (word === 'RUN') await run('sh', ['-c', asMe(text)], { cwd: here, maxBuffer: 64 * 1024 * 1024 });
      // Moved instead of copied, because no other test needs these ten thousand files.
      else if (word === 'COPY' && flags.from) replace(inStage(flags.from, from), join(here, to));
      else if (word === 'COPY') copyContext(join(here, to));
    }
  };
  await carryOut('build');
  for (const target of targets) await carryOut(target);
  return {
    of: (target) => imageOf(stepsOf(stages, target), { node, folderOf: (workdir) => inStage(target, workdir) }),
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

/** Only root may give a folder to another user. */
function asMe(command: string): string {
  return process.getuid?.() === 0 ? command : command.replace(/ --(owner|group)=\d+/g, '');
}

function replace(from: string, emptyFolder: string): void {
  rmdirSync(emptyFolder);
  renameSync(from, emptyFolder);
}

/** Of the repository what .dockerignore lets through. */
function copyContext(to: string): void {
  const filter = dockerignore().add(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  // A folder is read only if one of its files can be part of the context.
  const skipped = new Set(['.git', 'node_modules', 'dist', 'test-output']);
  cpSync(ROOT, to, {
    recursive: true,
    filter: (path) => {
      const name = relative(ROOT, path);
      if (name === '' || name === 'docs') return true;
      return !skipped.has(name.split('/').at(-1) ?? '') && !filter.ignores(name);
    },
  });
}

function imageOf(
  steps: readonly Step[],
  { node, folderOf }: { node: string; folderOf(workdir: string): string },
): Image {
  const last = (word: string) => steps.findLast((step) => step.word === word)?.text ?? '';
  const asUser = (json: string): readonly [string, ...string[]] => {
    const [program, ...args]: string[] = JSON.parse(json);
    if (program !== 'node') throw new Error(`the images have nothing but node, not ${program}`);
    const plain: [string, ...string[]] = [node, '--no-strip-types', ...args];
    const [uid, gid] = last('USER').split(':');
    return process.getuid?.() === 0
      ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...plain]
      : plain;
  };
  const health = last('HEALTHCHECK').replace(/^CMD\s+/, '');
  const env = steps
    .filter(({ word }) => word === 'ENV')
    .flatMap(({ text }) => [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)]);
  return {
    folder: folderOf(last('WORKDIR')),
    command: asUser(last('ENTRYPOINT')),
    healthCheck: health === 'NONE' ? null : asUser(health),
    // A new folder each time: what is compiled there is never wanted again.
    env: {
      ...Object.fromEntries(env.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain])),
      NODE_DISABLE_COMPILE_CACHE: '1',
    },
  };
}
