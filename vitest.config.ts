import { defineConfig } from 'vitest/config';
import { ablationFromEnvironment } from './scripts/spec/ablation-plugin.js';

export default defineConfig({
  plugins: [ablationFromEnvironment(import.meta.dirname)],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/print-node-version.ts'],
    pool: 'threads',
    restoreMocks: true,
    // A limit for what hangs, not for what is slow: a busy machine must not turn a test red.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
