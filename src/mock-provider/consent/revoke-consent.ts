import { randomToken } from '../../runtime/random-token.ts';
import type { ProviderContext, Revocation, Revoked } from '../context/provider-context.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import { subjectForService } from '../users/user-claims.ts';

/**
 * Revokes a consent at once, and tries to notify its audience while the caller waits. Asked again, perhaps
 * after a lost answer, it sends what was parked once more.
 */
export async function revokeConsent(
  { config, consents, outbox, random }: ProviderContext,
  { email, audience, client, actor }: Revoked,
): Promise<Revocation> {
  const queued = await consents.revoke({
    issuer: config.issuer,
    email,
    audience,
    client,
    actor,
    newEvent: (issuer) => ({
      id: randomToken(random, 'set_'),
      subject: subjectForService({ ...config, issuer }, email, audience),
    }),
  });
  if (client !== undefined) return { revoked: true, event: undefined };
  const events: OutboxEntry[] = [];
  for (const entry of queued) events.push(await outbox.deliverNow(entry));
  if (queued.length > 0) return { revoked: true, event: worstOf(events) };
  for (const entry of await outbox.latest(email, audience)) {
    const again = entry.state === 'parked' && (await outbox.sendAgain(entry.id, { actor, email }));
    events.push(again || entry);
  }
  return { revoked: false, event: worstOf(events) };
}

function worstOf(events: readonly OutboxEntry[]): OutboxEntry | undefined {
  return events.find(({ state }) => state !== 'delivered') ?? events[0];
}
