/** No answer came. The message is a sentence for the report. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly kind: 'refused' | 'not_found' | 'timeout' | 'tls' | 'broken' | 'too_near' | 'bad_port';
  constructor(kind: NoAnswer['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The code of what went wrong below a failed request, such as `ECONNREFUSED`; empty where it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const { code, cause } = inner as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && !code.startsWith('UND_ERR_SOCKET')) return code;
  return cause === undefined ? (typeof code === 'string' ? code : '') : codeOf(cause);
}
