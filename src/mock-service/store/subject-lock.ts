import type { LockName } from '../../mock/index.ts';

/** What is decided about a subject of an issuer waits for each other: it may have no row yet. */
export function subjectLock({
  issuer,
  subject,
}: {
  readonly issuer: string;
  readonly subject: string;
}): LockName {
  return ['subject', issuer, subject];
}
