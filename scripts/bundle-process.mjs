// Bundles a process: its main.ts and nearly all modules that it loads become a few files. A process of 2,000 modules takes twice as
// long to start, and a third more memory (docs/adr/0029-processes-are-bundled.md).
import { dirname, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * The queue board finds its page by a `require.resolve` that no bundler can see. GraphiQL is 9 MB that are rarely loaded. MikroORM uses
 * tinyglobby if it is installed: here it is, for tools, and in production it is not.
 */
const LEFT_OUT = [/^@bull-board\//, /^@graphql-yoga\/render-graphiql$/, /^tinyglobby$/];

/** What a module calls instead of `import.meta.url` and `__filename`, in each file of the bundle. */
const PLACES = [
  'const __tidegateUrl = (path) => new URL(path, import.meta.url).href;',
  "const __tidegatePath = (path) => process.getBuiltinModule('node:url').fileURLToPath(__tidegateUrl(path));",
].join('\n');

/**
 * Bundles `main`, the path of a main.ts. The result is what rolldown's `generate` and `write` are called on.
 *
 * Some modules read files of their own folder. In a bundle they find them by the path from the folder `from` to the module. So in the
 * folder of the bundle, these paths have to lead to the same files as they do in `from`.
 */
export async function bundleProcess(main, from) {
  return rolldown({
    input: main,
    platform: 'node',
    external: LEFT_OUT,
    plugins: [keepPlaces(from)],
    checks: { sourcemapBroken: true },
    // Of the level warn: a module that cannot be found, or a source map that names wrong lines.
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
}

/** What all bundles have in common. V8 keeps plain ASCII in half the memory, and it keeps the text of every file. */
export const COMMON_OUTPUT = { format: 'esm', banner: PLACES, charset: 'ascii', comments: false };

function keepPlaces(from) {
  return {
    name: 'keep-places',
    transform: {
      filter: { code: /import\.meta\.(url|dirname|filename)|\b__(dirname|filename)\b/ },
      handler: (code, id) => {
        // A module of the bundler itself.
        if (id.startsWith('\0')) return null;
        const path = (file) => JSON.stringify(relative(from, file).split(sep).join('/'));
        const texts = {
          url: `__tidegateUrl(${path(id)})`,
          filename: `__tidegatePath(${path(id)})`,
          dirname: `__tidegatePath(${path(dirname(id))})`,
        };
        const placed = code.replace(
          /\bimport\.meta\.(url|dirname|filename)\b|\b__(dirname|filename)\b/g,
          (_, ofModule, ofScript) => texts[ofModule ?? ofScript],
        );
        return { code: placed, map: null };
      },
    },
  };
}
