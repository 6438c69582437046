import { withoutFinalSlash } from '../../../protocol/urls.ts';
import type { Draft, Note } from './draft.ts';

/** Names the authorization servers as they call themselves, where the documents tell. */
export function mendServers(draft: Draft, issuers: readonly string[], note: Note): void {
  const [only] = issuers;
  const listed = draft['authorization_servers'];
  if (listed === undefined) {
    if (only === undefined || issuers.length > 1 || typeof draft['resource'] !== 'string') return;
    draft['authorization_servers'] = [only];
    note('authorization_servers names the issuer');
    return;
  }
  if (!Array.isArray(listed)) return;
  const mended = listed.map((server) => {
    if (typeof server !== 'string' || issuers.includes(server)) return server;
    return (
      issuers.find((issuer) => withoutFinalSlash(issuer) === withoutFinalSlash(server)) ?? server
    );
  });
  if (mended.every((server, at) => server === listed[at])) return;
  draft['authorization_servers'] = mended;
  note('authorization_servers spells the issuer as the issuer does');
}
