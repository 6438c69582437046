/** The user pressed Ctrl-C, or the process was asked to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('Interrupted.');
  }
}
