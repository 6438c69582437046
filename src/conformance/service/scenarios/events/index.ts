import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { eventConfirmed, eventUnconfirmed } from './confirmed.ts';
import { eventContents } from './contents.ts';
import { eventKeysUnreachable } from './keys-unreachable.ts';
import { eventHeaders, eventKinds, eventTransport } from './kinds.ts';
import { eventRaces } from './races.ts';
import { eventReach } from './reach.ts';
import { eventIssuerBounds, eventRefusals } from './refusals.ts';
import { eventOrder, eventRepeat, eventRevocation } from './revocation.ts';
import { eventSubjects } from './subjects.ts';

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
