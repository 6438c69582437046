/** The target cannot be judged at all. One line for the user who named it. */
export class BadTarget extends Error {
  override readonly name = 'BadTarget';
  readonly kind: 'network' | 'not_a_peer';
  constructor(kind: BadTarget['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The target answers, and has no document for agents: whoever builds it has yet to publish one. */
export class NothingPublished extends BadTarget {
  constructor(message: string) {
    super('not_a_peer', message);
  }
}
