import type { Finding, LintDocument } from '../finding.ts';

/** The documents that agents need, and of which there may be none yet. */
export type MissingKind = 'resource' | 'server';

/**
 * What agents look for and nobody serves, in the order in which they ask for it. A document that is there and
 * cannot be read is not missing.
 */
export function missingKinds(
  documents: readonly LintDocument[],
  findings: readonly Finding[],
): readonly MissingKind[] {
  const isSaid = (rule: Finding['rule']) => findings.some((finding) => finding.rule === rule);
  const hasServer = documents.some(({ kind }) => kind === 'server' || kind === 'block');
  const hasResource = documents.some(({ kind }) => kind === 'resource');
  const isServerMissing = !hasServer && isSaid('server-metadata-missing');
  // A folder without any document is told once.
  const isResourceMissing =
    !hasResource && (isSaid('resource-metadata-missing') || documents.length === 0);
  return [
    ...(isResourceMissing ? (['resource'] as const) : []),
    ...(isServerMissing ? (['server'] as const) : []),
  ];
}
