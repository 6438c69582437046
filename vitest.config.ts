import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig } from 'vitest/config';
import { nameWhatRuns } from './test/support/name-what-runs.ts';

// What a test calls runs a few times, in each worker: to optimise it takes more of the processors than it saves, a tenth
// of all of them. V8 waits for fifteen times as much work before it does; the workers, which start later, have it, too.
// That of Node 20 alone: later ones have no such flag.
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');

/** What `npm test` leaves out, by name: `npm run test:<name>` runs it. CONTRIBUTING says which is for what. */
const APART = {
  judged: [
    'test/conformance/{faults,judged,providers,services}/**/*.test.ts',
    'test/conformance/agent/{foreign-agents,mcp-client,python-agent,sample-adapter}.test.ts',
    'test/conformance/provider/judge-provider.test.ts',
    'test/conformance/service/{dying-service,headlines,refusing-service,scenarios/registration}.test.ts',
    'test/cli/lint/agrees-with-suite.test.ts',
    'test/cli/built/conformance-agent.test.ts',
  ],
  built: [
    'test/browser/**/*.test.ts',
    'test/cli/built/!(conformance-agent|*.hold).test.ts',
    'test/mcp/built-mcp.test.ts',
    'test/package/**/*.test.ts',
  ],
  hold: ['test/**/durability.test.ts', 'test/**/*.hold.test.ts'],
} as const;

const source = (path: string) => join(import.meta.dirname, 'src', path);

const project = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    exclude: [...configDefaults.exclude, ...exclude],
    globalSetup: ['test/support/print-node-version.ts'],
    // Limits for what hangs, not for what is slow: a busy machine must not turn a test red.
    testTimeout: name === 'unit' ? 120_000 : 300_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig({
  resolve: {
    // The examples of the docs import the package by its name.
    alias: {
      'agent-auth/mock-service': source('testing/mock-service.ts'),
      'agent-auth/runtime': source('runtime/index.ts'),
    },
  },
  plugins: [nameWhatRuns()],
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], Object.values(APART).flat()),
      ...Object.entries(APART).map(([name, include]) => project(name, include)),
    ],
    pool: 'threads',
    // Half of their time tests wait, for programs, servers and limits of time: then a further worker has the core. So
    // many has each project: --maxWorkers does not reach one.
    maxWorkers: availableParallelism() + 2,
    // The files of a worker share their modules: loading them anew for each took a third of the time.
    isolate: false,
    // A module is transformed once, not once a run.
    experimental: { fsModuleCache: true },
    setupFiles: ['test/support/nothing-left-turning.ts', 'test/support/share-rsa-keys.ts'],
    // No immediates: what waits for nothing but its turn would be due again and again, and time never go on.
    fakeTimers: {
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
