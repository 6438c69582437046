import { StoreBusyError, StoreOpenError, type StoreOpenErrorCode } from './errors.ts';

/** SQLSTATEs and classes of them that pass (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const PASSING = [
  '08', // connection lost
  '40001', // serialization failure
  '40P01', // deadlock
  '53', // no room: connections, memory, disk
  '55P03', // the lock was not to be had in time
  '57', // canceled by a timeout, shut down, starting up
  '25P03', // idle in a transaction for too long
];

const CODES: Readonly<Record<string, StoreOpenErrorCode>> = {
  '28P01': 'wrong_password',
  '28000': 'not_admitted',
  '3D000': 'no_database',
  '42501': 'no_rights',
};

/** Node's codes of a connection that never came about, and of a certificate that is not trusted. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)$/;
const UNTRUSTED =
  /^(?:ERR_TLS|ERR_SSL|CERT|CRL|DEPTH_ZERO|SELF_SIGNED|UNABLE|INVALID_CA|HOSTNAME|OSSL)/;

/** How far a connection came. */
export interface Handshake {
  /** Something listens there. */
  readonly reached: boolean;
  /** TLS was required and not established. */
  readonly missesTls: boolean;
  /** A password was required and not given. */
  readonly missesPassword: boolean;
}

/**
 * What a failed statement or connection means to a caller. What the driver says without any code is
 * that the connection is gone: it gives none when the server hangs up or a time limit passes.
 */
export function toStoreError(error: unknown, at: string): unknown {
  if (error instanceof StoreOpenError || error instanceof StoreBusyError) return error;
  const state = sqlState(error);
  if (state === undefined) return new StoreBusyError({ cause: error });
  if (PASSING.some((passing) => state.startsWith(passing)))
    return new StoreBusyError({ cause: error });
  return state === '42501' ? new StoreOpenError('no_rights', at, { cause: error }) : error;
}

/** Why a server cannot be used from the start. */
export function toOpenError(error: unknown, at: string, handshake: Handshake): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  return new StoreOpenError(openErrorCode(error, handshake), at, { cause: error });
}

function openErrorCode(error: unknown, handshake: Handshake): StoreOpenErrorCode {
  if (handshake.missesPassword) return 'no_password';
  const state = sqlState(error);
  if (state !== undefined) {
    return CODES[state] ?? (/^(?:53|57)/.test(state) ? 'no_room' : 'failed');
  }
  const code = codeOf(error);
  if (code !== undefined) {
    if (UNTRUSTED.test(code)) return 'tls';
    return UNREACHABLE.test(code) ? 'unreachable' : 'failed';
  }
  // What has no code is the driver's own: hung up, timed out, no TLS, no PostgreSQL.
  return handshake.reached && handshake.missesTls ? 'no_tls' : 'unreachable';
}

/** Whether the connection cannot be used any more. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^(?:08|57P|25P03)/.test(state);
}

/** Five characters, of the server: Node's codes are longer, or begin with E. */
function sqlState(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && 'severity' in (error as object) && /^[0-9A-Z]{5}$/.test(code)
    ? code
    : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
