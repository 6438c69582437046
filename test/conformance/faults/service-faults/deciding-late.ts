import type { EventInputs, EventName } from '../../../../src/mock-service/claim-machine/events.ts';
import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import type { StoredRegistration } from '../../../../src/mock-service/store/stored-registration.ts';
import { Barrier } from './barrier.ts';

const { replacing } = rewire;

export type Meant = (
  event: EventName,
  input: EventInputs[EventName],
  facts: RegistrationFacts,
) => boolean;

interface Race {
  /** What is decided on what was read, and judged, a while before it is written. */
  readonly late: Meant;
  /** What comes between. Default: another one that is late. */
  readonly between?: Meant;
  /** Something else comes between, at this barrier. */
  readonly isOvertaken?: true;
  readonly barrier?: Barrier<StoredRegistration>;
  /** What the requests that race have in common. Default: the registration. */
  readonly about?: (registration: StoredRegistration) => string;
}

/** The store of registrations, with requests that overlap. */
export function decidingLate({ late, between, isOvertaken, barrier = new Barrier(), about }: Race) {
  return ({ db, registrations }: Pick<ServiceContext, 'db' | 'registrations'>) =>
    replacing(registrations, {
      decide: async (event, selector, actor, input) => {
        const read = await registrations.find(selector);
        if (read === undefined) return undefined;
        const right = () => registrations.decide(event, selector, actor, input);
        const given = await db.transaction(async (tx) => input(read.facts, tx));
        const what = about?.(read) ?? read.facts.id;
        if (between?.(event, given, read.facts)) return barrier.comeBetween(what, right);
        if (!late(event, given, read.facts)) return right();
        return barrier.decideLate(
          what,
          async () => read,
          (seen) =>
            db.transaction((tx) => registrations.decideWithin(tx, event, seen, actor, given)),
          { isOvertaken: isOvertaken ?? between !== undefined },
        );
      },
    });
}
