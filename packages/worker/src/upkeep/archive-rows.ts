import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Archive } from '@tidegate/domain/worker';

/**
 * Archives rows in a folder: `<kind>/<day>/<moment>-<id>.jsonl.gz`, gzipped, one JSON object with the table's columns
 * per line. Resolves when the whole file is on the disk.
 */
export function archiveTo(dir: string): Archive {
  return async (kind, rows) => {
    const moment = new Date().toISOString();
    const folder = join(dir, kind, moment.slice(0, 10));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${moment.replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.jsonl.gz`;
    const partial = join(folder, `.${name}.partial`);
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(await promisify(gzip)(`${rows.join('\n')}\n`));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, join(folder, name));
    const place = await open(folder, 'r');
    await place.sync().finally(() => place.close());
  };
}
