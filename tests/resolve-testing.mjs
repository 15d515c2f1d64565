// Loaded by each process of tests (`execArgv` of vitest.config.ts). Tests of packages that the sandbox itself depends on import its
// `testing` module: a dependency in their package.json would be a circle. tsconfig.json says the same to the compiler.
import { registerHooks } from 'node:module';

const testing = new URL('../tools/sandbox/src/testing.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@tidegate/sandbox/testing' ? { url: testing, shortCircuit: true } : next(specifier, context),
});
