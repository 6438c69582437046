import type { Bug } from '../bug.ts';

export const RAW_HTTP_BUGS = [] as const satisfies readonly Bug[];

export type BugId = (typeof RAW_HTTP_BUGS)[number]['id'];
