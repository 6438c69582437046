import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { eventConfirmed, eventUnconfirmed } from './confirmed.ts';
import { eventContents, eventHeaders, eventKinds, eventTransport } from './contents.ts';
import { eventRaces } from './races.ts';
import { eventReach, eventSubjects } from './reach.ts';
import { eventIssuerBounds, eventKeysUnreachable, eventRefusals } from './refusals.ts';
import { eventOrder, eventRepeat, eventRevocation } from './revocation.ts';

export const EVENTS_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  eventRevocation,
  eventReach,
  eventConfirmed,
  eventUnconfirmed,
  eventRaces,
  eventRepeat,
  eventOrder,
  eventContents,
  eventSubjects,
  eventRefusals,
  eventIssuerBounds,
  eventHeaders,
  eventKinds,
  eventTransport,
  eventKeysUnreachable,
];
