/** A fault that can be switched on, as it is listed. */
export interface KnownFault {
  readonly name: string;
  /** What it is about: a heading of `agent-auth mock fault --list`. `null`: it exists in this process alone. */
  readonly group: string | null;
  /** What an implementation that has it does: a clause in the third person. */
  readonly description: string;
}
