import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'upstream',
    include: ['src/**/*.test.ts'],
  },
});
