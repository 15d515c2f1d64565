import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Fails a build whose first page needs more JavaScript than this, compressed. Writes the sizes to `sizes.json`. */
export function limitFirstLoad(limitBytes: number): Plugin {
  return {
    name: 'limit-first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const size = (name: string) => gzipSync(byName.get(name)?.code ?? '', { level: 9 }).length;
      const needed = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
      for (const name of needed) for (const imported of byName.get(name)?.imports ?? []) needed.add(imported);
      const firstLoad = [...needed].reduce((sum, name) => sum + size(name), 0);
      const sizes = Object.fromEntries(chunks.map(({ fileName }) => [fileName, size(fileName)]));
      const source = `${JSON.stringify({ firstLoad, limit: limitBytes, chunks: sizes }, null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'sizes.json', source });
      this.info(`first load: ${(firstLoad / 1_000).toFixed(1)} kB of JavaScript, compressed`);
      if (firstLoad > limitBytes)
        this.error(
          `The first load needs ${firstLoad} bytes of JavaScript, at most ${limitBytes} are allowed. Load screens by import().`,
        );
    },
  };
}
