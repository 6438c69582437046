/** Why nothing can be served at a host and port. */
export type ListenErrorCode = 'in_use' | 'denied' | 'bad_port' | 'unavailable';

const TEXTS: Readonly<Record<ListenErrorCode, string>> = {
  in_use: 'is in use; stop what listens there or use another port',
  denied: 'may not be used by this user; use a port above 1023',
  bad_port: 'is one that fetch refuses (WHATWG fetch, "bad port"); use another port',
  unavailable: 'is not an address of this machine',
};

/** Why a server cannot listen where it was told to. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: ListenErrorCode;
  readonly host: string;
  readonly port: number;

  constructor(code: ListenErrorCode, host: string, port: number, options?: ErrorOptions) {
    super(`${host} port ${port} ${TEXTS[code]}.`, options);
    this.code = code;
    this.host = host;
    this.port = port;
  }
}
