import { describeDuration } from '../../protocol/index.ts';
import { type EventProblem, type OutboxEntry, waitsElsewhere } from './outbox-entry.ts';

/**
 * Whether the service was told, for its user.
 * @param own this provider's issuer.
 */
export function describeEvent(entry: OutboxEntry, own: string, now: number): string {
  if (waitsElsewhere(entry, own)) {
    return `No. The service knows you from ${entry.issuer}, the address that this provider had then; only from there it can be told. End the access at the service.`;
  }
  switch (entry.state) {
    case 'delivered':
      return 'Yes, the service knows.';
    case 'pending':
      return `Not yet. ${describeTries(entry)}${describeNext(entry, now)}`;
    case 'parked':
      return 'No. It is not tried again by itself.';
    case 'none':
      return 'No. This service takes no such messages; end the access there as well.';
  }
}

function describeNext(entry: OutboxEntry, now: number): string {
  const { isBeingSent, nextAttemptAt = now } = entry;
  if (nextAttemptAt <= now) return 'The next try comes at once.';
  if (isBeingSent) return 'It is being told right now.';
  return `The next try comes in ${describeDuration(nextAttemptAt - now)}.`;
}

function describeTries({ attempts }: OutboxEntry): string {
  if (attempts === 0) return '';
  return attempts === 1 ? 'One try failed. ' : `${attempts} tries failed. `;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  network_refused: 'Nothing listens at its address.',
  network_not_found: 'Its host name is unknown.',
  network_timeout: 'It did not answer in time.',
  network_tls: 'Its certificate is not trusted.',
  network_reset: 'The connection broke off.',
  network_aborted: 'The attempt was interrupted.',
  network_unknown: 'The connection failed.',
  redirected: 'It answered with a redirect, which is not followed.',
  metadata_not_found: 'It publishes no metadata that says where to tell it.',
  metadata_invalid: 'Its metadata cannot be read.',
  issuer_mismatch: 'Its metadata is that of another service.',
  foreign_origin: 'Its metadata names an address of somebody else.',
  address_refused:
    'Its address is on the machine or the network of the provider, whose own is public.',
  no_events_endpoint: 'Its metadata names no address for events.',
  event_not_supported: 'Its metadata lists no event for this.',
};

/** Why it was not told: in our words where we know better, else in the service's own. */
export function describeProblem({ code, status, text }: EventProblem): string {
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  const answered = `It answered ${status ?? 'with an error'}`;
  const named = code.startsWith('http_') ? answered : `${answered}, ${code}`;
  return text === undefined ? `${named}.` : `${named}: “${text}”`;
}
