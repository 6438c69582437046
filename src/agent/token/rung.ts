import type { AccessToken, Registration, Warning } from '../model.ts';

/** A token to try, and the registration as it is stored then. */
export interface Rung {
  readonly token: AccessToken;
  readonly registration: Registration;
  readonly fresh: boolean;
  readonly warnings: readonly Warning[];
}
