import { readFileSync } from 'node:fs';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

/** A page of docs whose examples a test runs: its text by the titles of its sections. */
export function readTypedPage(name: string): { blocks(title: string, language: string): string[] } {
  const sections = readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8').split(/^## /m);
  return {
    blocks(title, language) {
      const section = sections.find((text) => text.startsWith(`${title}\n`));
      if (section === undefined) throw new Error(`docs/${name} has no section ${title}`);
      const found = [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)\n\`\`\`$`, 'gm'))];
      return found.map(([, text = '']) => text);
    },
  };
}

/** The same text for a sandbox whose addresses and data folder are not those of the page. */
export function forSandbox(text: string, { portBase, dataDir }: SharedSandbox): string {
  return text
    .replaceAll(/127\.0\.0\.1:80(8\d|9\d)/g, (_, place) => `127.0.0.1:${portBase + Number(place) - 80}`)
    .replaceAll('.data/', `${dataDir}/`);
}

/** The environment of a user with a terminal in the repository's folder, and without a database. */
export function environmentAt({ dataDir }: SharedSandbox): NodeJS.ProcessEnv {
  const { DATABASE_URL, REDIS_URL, NODE_COMPILE_CACHE, ...env } = process.env;
  return { ...env, TIDEGATE_DATA_DIR: dataDir, npm_config_loglevel: 'silent' };
}
