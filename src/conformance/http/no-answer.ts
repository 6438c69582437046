/** No answer came. The message is a sentence for the report. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly kind: 'refused' | 'not_found' | 'timeout' | 'tls' | 'broken' | 'too_large' | 'too_near';
  constructor(kind: NoAnswer['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
