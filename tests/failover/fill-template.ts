import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const templates = fileURLToPath(new URL('../../ops/high-availability/', import.meta.url));

/** A file of ops/high-availability with these values in the place of its names between @. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return readFileSync(templates + template, 'utf8').replace(/@([A-Z][A-Z_0-9]*)@/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} has @${name}@, which has no value here`);
    return String(value);
  });
}
