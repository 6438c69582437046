import type { Work } from './context.ts';

/** Runs a command's work once the command line is understood; its outcome becomes the exit code. */
export type Run = (work: Work) => Promise<void>;
