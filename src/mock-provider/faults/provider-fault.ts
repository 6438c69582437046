import type { Fault } from '../../mock/faults/fault.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/** One way in which a provider can be wrong: what it replaces of the right mock. */
export type ProviderFault = Fault<ProviderContext>;

/** Which parts are done wrongly, and how. */
export type Rewired = NonNullable<ProviderFault['parts']>;

/** What is decided wrongly, and how. */
export type Redecided = NonNullable<ProviderFault['decisions']>;
