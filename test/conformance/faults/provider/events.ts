import type { FaultCase } from '../fault-case.ts';

const inScenario =
  (scenario: string) =>
  (fault: string, ...fails: readonly string[]): FaultCase => ({
    fault,
    scenarios: [scenario],
    fails: fails.map((check) => `${scenario}.${check}`),
  });
const sent = inScenario('event-sent');
const retry = inScenario('event-retry');
const address = inScenario('event-address');

export const EVENT_CASES: readonly FaultCase[] = [
  sent('eventsUnsent', 'sent'),
  sent('eventAsJson', 'request'),
  sent('eventTypeless', 'type'),
  sent('eventUnnamed', 'claims'),
  sent('eventUnaddressed', 'audience'),
  sent('eventExpires', 'no-exp'),
  sent('eventVendorAssumed', 'event-type'),
  sent('eventsBundled', 'one-event'),
  sent('eventSubjectOther', 'subject'),
  sent('eventSubIdHalved', 'sub-id'),
  sent('eventTampered', 'signed'),
  retry('eventsTriedOnce', 'retried'),
  retry('eventsRetriedAtOnce', 'delayed'),
  retry('eventRenamed', 'same-event'),
  retry('refusalsRetried', 'stops'),
  retry('deliveredAgain', 'once'),
  retry('refusalTextRaw', 'shown-as-text'),
  {
    fault: 'redirectsFollowed',
    scenarios: ['event-retry', 'event-address'],
    fails: ['event-retry.no-redirect', 'event-address.metadata-redirect'],
  },
  address('receiverIssuerUnchecked', 'metadata-issuer'),
  address('receiverOriginUnchecked', 'foreign-origin'),
  address('revocationNeedsReceiver', 'local'),
];
