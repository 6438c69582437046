/** What has to be seen of one fault. */
export interface FaultCase {
  readonly fault: string;
  /** Without these it does no harm: SameSite would keep an attack off. */
  readonly with?: readonly string[];
  /** What stands before the mock has the fault: a broken server of a few lines. */
  readonly server?:
    | 'documenting'
    | 'errorsWith200'
    | 'lenient'
    | 'oneSession'
    | 'brokenProxy'
    | 'mortal'
    | 'rememberedToken'
    | 'unreadBodies';
  /** It is switched on when discovery is done: nothing would be judged otherwise. */
  readonly late?: true;
  /** The scenarios of its set: all of them are run. */
  readonly scenarios: readonly string[];
  /** Exactly these checks fail or warn: no more, no less. */
  readonly fails: readonly string[];
}
