import { isJsonObject } from '../protocol/index.ts';
import type { BodyState, Exchange, ExchangeMessage, Receiver } from './exchange.ts';
import { type RecordedTime, recordedTimes } from './recorded-times.ts';
import { StableNames } from './stable-names.ts';

/** Exchanges as a document that is the same, byte for byte, whenever the same procedure is run again. */
export interface Transcript {
  /** The version of this form. */
  readonly transcript: 1;
  readonly exchanges: readonly TranscribedExchange[];
}

/**
 * An exchange of a transcript: in each text, what another run would have otherwise stands by its name, numbered in the
 * order of appearance.
 */
export interface TranscribedExchange {
  readonly to: Receiver;
  readonly request: TranscribedMessage & { readonly method: string; readonly url: string };
  readonly response: TranscribedMessage & {
    readonly status: number | null;
    /** What stands for `{time}` in its body, by the JSON pointer to each. Left out where there is none. */
    readonly times?: Readonly<Record<string, RecordedTime>>;
  };
}

/** A request or an answer in a {@link Transcript}. */
export interface TranscribedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Left out where `body` is the whole body, or there is none. */
  readonly body_state?: BodyState;
}

/** The headers that are the connection's, the machine's or the program's, and say nothing of the procedure. */
const NOT_OF_THE_PROCEDURE =
  /^(?:accept-encoding|accept-language|connection|content-length|date|host|keep-alive|priority|transfer-encoding|user-agent|sec-.*|upgrade-insecure-requests)$/;

/**
 * The exchanges of a procedure as a golden document: secrets, ids, keys, times and ports are replaced by
 * names such as `{claim_token_1}`, which are the same wherever the value comes again.
 */
export function transcript(exchanges: readonly Exchange[]): Transcript {
  const names = new StableNames(exchanges);
  return {
    transcript: 1,
    exchanges: exchanges.map(({ at, method, request, response, status, to, url }) => ({
      to,
      request: { method, url: names.text(url, 'url'), ...message(names, request) },
      response: { status, ...message(names, response), ...timesOf(response, at) },
    })),
  };
}

function message(names: StableNames, { headers, body, bodyState }: ExchangeMessage) {
  const shown = Object.entries(headers)
    .filter(([name]) => !NOT_OF_THE_PROCEDURE.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, names.text(value, name)] as const);
  return {
    headers: Object.fromEntries(shown),
    body: stable(names, body, 'body'),
    ...(!['none', 'whole', 'page'].includes(bodyState) && { body_state: bodyState }),
  };
}

function timesOf({ body }: ExchangeMessage, at: number) {
  const times = recordedTimes(body, at);
  return Object.keys(times).length === 0 ? {} : { times };
}

function stable(names: StableNames, value: unknown, key: string): unknown {
  if (typeof value === 'string') return names.text(value, key);
  if (typeof value === 'number') return names.number(value);
  if (Array.isArray(value)) return value.map((each) => stable(names, each, key));
  if (!isJsonObject(value)) return value;
  const isJwk = 'kty' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      // The parts of a public key (RFC 7518 §6) differ in each run.
      if (isJwk && /^[xyne]$/.test(name)) return [name, names.whole(String(each), `key_${name}`)];
      // A JWT goes by the name of the member that it is in.
      return [name, stable(names, each, name === 'jwt' ? key : name)];
    }),
  );
}
