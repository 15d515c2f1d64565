import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { emitDocuments } from './build/emit-documents.ts';
import { limitFirstLoad } from './build/limit-first-load.ts';
import { mantineStyles } from './build/mantine-styles.ts';

/** JavaScript that the sign-in page and the first screen need together, compressed. */
const FIRST_LOAD_BYTES = 200_000;

/** An API for the development server: TIDEGATE_API_URL, or that of `npm start`. */
const api = process.env.TIDEGATE_API_URL ?? 'http://127.0.0.1:8081';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    outDir: process.env.TIDEGATE_CONSOLE_OUT ?? join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy of the API allows no data addresses in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/graphql': api,
      '/files': api,
      '/exports': api,
      '/statements': api,
      '/console/session': api,
      '/console/sessions': api,
      '/console/sign-in/oidc': api,
    },
  },
  plugins: [emitDocuments(), react(), mantineStyles(), limitFirstLoad(FIRST_LOAD_BYTES)],
});
