/**
 * Of the names and values that the suite invents in tests: the same in each run, so that a failure can
 * be repeated. `CONFORMANCE_SEED=2 npm run test:judged` shows that nothing hangs on these.
 */
export const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 1);
