import type { Fault } from '../../mock/faults/fault.ts';
import type { ServiceContext } from '../context/service-context.ts';

/** A way in which a service can be wrong: what it replaces of the right mock. */
export type ServiceFault = Fault<ServiceContext>;

/** Which parts are done wrongly, and how. */
export type Rewired = NonNullable<ServiceFault['parts']>;

/** What is decided wrongly, and how. */
export type Redecided = NonNullable<ServiceFault['decisions']>;
