import { ListenError } from '../../../mock/http/listen-error.ts';
import { type Served, type ServeOptions, serve } from '../../../mock/http/serve.ts';

/** How many ports after a default one are tried. */
const TRIES = 20;

export interface Place {
  readonly host: string;
  /** `undefined`: the default, or the next free one. */
  readonly port: number | undefined;
  readonly defaultPort: number;
}

/**
 * Serves a mock at its place. A default port that is taken moves on to the next free one; a port that
 * was asked for does not.
 * @throws ListenError when the port is not available; whatever `build` throws.
 */
export async function serveMock(
  { host, port, defaultPort }: Place,
  options: Pick<ServeOptions, 'build' | 'log' | 'overrideGlobalObjects' | 'passesOn' | 'tls'>,
): Promise<Served> {
  const first = port ?? defaultPort;
  const last = port === undefined ? Math.min(first + TRIES, 65_535) : first;
  for (let candidate = first; ; candidate += 1) {
    try {
      return await serve({ ...options, host, port: candidate });
    } catch (error) {
      if (!(error instanceof ListenError) || error.code !== 'in_use') throw error;
      if (candidate === last) throw error;
    }
  }
}
