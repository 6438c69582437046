/**
 * For each program that a test waits for without letting go of its thread (`spawnSync`, `execFileSync`): there no
 * limit of the test itself can end the wait.
 */
export const LIMITED = { timeout: 60_000, killSignal: 'SIGKILL' } as const;
