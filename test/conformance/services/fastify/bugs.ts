import type { Bug } from '../bug.ts';

export const FASTIFY_BUGS = [] as const satisfies readonly Bug[];

export type BugId = (typeof FASTIFY_BUGS)[number]['id'];
