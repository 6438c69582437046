import type { Clock } from '../../runtime/index.ts';
import type { HttpClient } from '../http/http-client.ts';
import { Recorder } from '../http/recorder.ts';
import { CannotTest } from '../judge.ts';
import type { ServiceControl } from './service-time.ts';

export interface ControlAddress {
  /** Of the mock; its controls are below `/__mock`. */
  readonly url: string;
  readonly token: string;
}

/** The control API of a mock, over HTTP (`docs/controls.md`). Its exchanges are no evidence. */
export function httpControl(
  http: HttpClient,
  clock: Clock,
  { url, token }: ControlAddress,
): ServiceControl {
  const post = async (path: string, body: unknown) => {
    const answer = await http.send(
      `${url.replace(/\/$/, '')}/__mock${path}`,
      {
        headers: [
          ['content-type', 'application/json'],
          ['authorization', `Bearer ${token}`],
        ],
        body: JSON.stringify(body),
      },
      new Recorder(clock),
    );
    if (!answer.ok) throw new CannotTest(`The control API refused ${path}: ${answer.describe()}.`);
  };
  return {
    advance: (by) => post('/clock', { advance: `${Math.ceil(by / 1000)}s` }),
    trust: ({ issuer, jwksUri }) => post('/trust', { issuer, jwks_uri: jwksUri }),
  };
}
