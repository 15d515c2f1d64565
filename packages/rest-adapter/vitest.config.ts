import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'rest-adapter',
    include: ['src/**/*.test.ts'],
  },
});
