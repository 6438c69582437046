import { defineConfig } from 'vitest/config';
import { ablationFromEnvironment } from './scripts/spec/ablation-plugin.js';

export default defineConfig({
  plugins: [ablationFromEnvironment(import.meta.dirname)],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/print-node-version.ts'],
    pool: 'threads',
    restoreMocks: true,
  },
});
