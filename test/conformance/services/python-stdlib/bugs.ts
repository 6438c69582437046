import type { Bug } from '../bug.ts';

export const PYTHON_BUGS = [] as const satisfies readonly Bug[];
