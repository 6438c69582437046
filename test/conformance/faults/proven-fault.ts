import type { ProviderFault } from '../../../src/mock-provider/index.ts';
import type { ServiceFault } from '../../../src/mock-service/index.ts';

/** What shows that a fault is seen. */
export interface Proof {
  /**
   * Scenario → the checks that fail there, and no others. With an empty list the scenario is run to show that
   * nothing fails there. Which requirements it breaks, the catalogue says of its checks.
   */
  readonly fails: Readonly<Record<string, readonly string[]>>;
  readonly needs?: CaseNeeds;
}

/** What a judged mock needs beside its fault for that to be seen. */
interface CaseNeeds {
  /** Faults without which this one does no harm: `SameSite` would keep an attack off. */
  readonly with?: readonly string[];
  /** It is switched on when discovery is done: nothing would be judged otherwise. */
  readonly late?: true;
}

/** A fault that proves checks alone: nobody asks for it by name. */
export type ProvenServiceFault = ServiceFault & Proof;

/** A fault that proves checks alone: nobody asks for it by name. */
export type ProvenProviderFault = ProviderFault & Proof;
