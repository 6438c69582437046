import { describeDuration } from '../../protocol/durations.ts';
import { type EventProblem, type OutboxEntry, waitsElsewhere } from './outbox-entry.ts';

/**
 * Whether the service was notified, for its user.
 * @param own this provider's issuer.
 */
export function describeEvent(entry: OutboxEntry, own: string, now: number): string {
  if (waitsElsewhere(entry, own)) {
    return `No. The service registered you under ${entry.issuer}, the former URL of this provider; only a provider at that URL can notify it. End the access at the service.`;
  }
  switch (entry.state) {
    case 'delivered':
      return 'Yes, the service has been notified.';
    case 'pending':
      return `Not yet. ${describeTries(entry)}${describeNext(entry, now)}`;
    case 'parked':
      return 'No. It is not retried automatically.';
    case 'none':
      return 'No. This service accepts no such events; end the access there as well.';
  }
}

function describeNext(entry: OutboxEntry, now: number): string {
  const { isBeingSent, nextAttemptAt = now } = entry;
  if (nextAttemptAt <= now) return 'The next attempt is due now.';
  if (isBeingSent) return 'It is being notified now.';
  return `The next attempt is in ${describeDuration(nextAttemptAt - now)}.`;
}

function describeTries({ attempts }: OutboxEntry): string {
  if (attempts === 0) return '';
  return attempts === 1 ? 'One attempt failed. ' : `${attempts} attempts failed. `;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  network_refused: 'Its server refused the connection.',
  network_not_found: 'Its host name cannot be resolved.',
  network_timeout: 'It did not answer in time.',
  network_tls: 'Its certificate is not trusted.',
  network_reset: 'The connection was reset.',
  network_aborted: 'The attempt was interrupted.',
  network_unknown: 'The connection failed.',
  redirected: 'It answered with a redirect, which is not followed.',
  metadata_not_found: 'It publishes no metadata, so its events endpoint is unknown.',
  metadata_invalid: 'Its metadata cannot be read.',
  issuer_mismatch: 'Its metadata belongs to another service.',
  foreign_origin: 'Its metadata names an events endpoint at another origin.',
  no_events_endpoint: 'Its metadata names no events endpoint.',
  event_not_supported: 'Its metadata does not list the revocation event.',
};

/** Why it was not notified: in our own words for a known code, else in the service's. */
export function describeProblem({ code, status, text }: EventProblem): string {
  if (code === 'address_refused') {
    const where = text ?? 'its URL is on the machine or the network of this provider';
    return `It was not called: ${where}, and the URL of this provider is public. To allow that, configure it as an audience.`;
  }
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  const answered = `It answered ${status ?? 'with an error'}`;
  const named = code.startsWith('http_') ? answered : `${answered}, ${code}`;
  return text === undefined ? `${named}.` : `${named}: “${text}”`;
}
