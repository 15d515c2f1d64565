import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Vite would take graphql's "module" entry for our files and Node its "main" entry for the libraries: two copies that
// do not know each other's types. Outside of tests there is Node's alone.
export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
});
