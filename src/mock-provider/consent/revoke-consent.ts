import type { Actor } from '../../mock/index.ts';
import { randomToken } from '../../runtime/index.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import type { ProviderContext } from '../provider-context.ts';
import { subjectOf } from '../store/user-store.ts';

export interface Revocation {
  /** `false`: there was no such consent. */
  readonly revoked: boolean;
  /** How telling the audience stands; `undefined` when nothing was ever to be told. */
  readonly event: OutboxEntry | undefined;
}

/** Takes a consent back at once, and tries to tell its audience while the one who asked waits. */
export async function revokeConsent(
  { config, consents, outbox, random }: ProviderContext,
  { email, audience, actor }: { email: string; audience: string; actor: Actor },
): Promise<Revocation> {
  const { issuer } = config;
  const queued = await consents.revoke({
    id: randomToken(random, 'set_'),
    lease: randomToken(random, 'lease_'),
    issuer,
    subject: subjectOf(issuer, email),
    email,
    audience,
    actor,
  });
  if (queued === undefined) {
    // Asked again, perhaps after a lost answer: how the earlier one stands is still of use.
    return { revoked: false, event: await outbox.latest(email, audience) };
  }
  return { revoked: true, event: await outbox.deliverNow(queued) };
}
