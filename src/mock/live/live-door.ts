import { HOUR, MINUTE } from '../../protocol/durations.ts';
import { constantTimeEqual } from '../../runtime/hash.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { controlProblem } from '../controls/read-control.ts';
import { readCookie } from '../http/read-cookie.ts';
import type { Context } from '../http/request.ts';
import { LIVE_PATHS } from './paths.ts';

interface LiveDoorOptions {
  /** Where the view is, an origin. */
  readonly origin: string;
  /** The machine's clock: moving a mock's neither opens nor closes the view. */
  readonly clock: Clock;
  readonly random: Random;
}

const TICKET_LASTS = MINUTE;
/** 128 bits (RFC 6749 §10.10): more, and the link would be wider than a screen of 60 columns. */
const TICKET_BYTES = 16;
const SESSION_LASTS = 12 * HOUR;
/** The oldest gives way to one more. */
const MOST = 100;

/**
 * Lets in whoever has a ticket: it is good once and for 60 seconds, and is traded for a session that only the
 * browser knows. A ticket in a history, a log or a screenshot opens nothing any more.
 */
export class LiveDoor {
  readonly #options: LiveDoorOptions;
  readonly #cookieName: string;
  readonly #tickets = new Map<string, number>();
  readonly #sessions = new Map<string, { readonly csrfToken: string; readonly until: number }>();

  constructor(options: LiveDoorOptions) {
    this.#options = options;
    // Cookies do not know ports, and two mocks may run on one host.
    const { port, protocol } = new URL(options.origin);
    this.#cookieName = `agent_auth_live_${port === '' ? protocol.slice(0, -1) : port}`;
  }

  /** A link that opens the view once, within 60 seconds. */
  link(): string {
    const { clock, origin, random } = this.#options;
    const ticket = Buffer.from(random.bytes(TICKET_BYTES)).toString('base64url');
    keep(this.#tickets, ticket, clock.now() + TICKET_LASTS);
    return `${origin}${LIVE_PATHS.open}?ticket=${ticket}`;
  }

  /** @returns the header that starts a session; undefined for a ticket that is used, too old or none. */
  trade(ticket: string): { readonly 'set-cookie': string } | undefined {
    const { clock, origin, random } = this.#options;
    const until = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    const now = clock.now();
    if (until === undefined || now >= until) return undefined;
    const id = randomToken(random, '');
    const csrfToken = randomToken(random, '');
    keep(this.#sessions, id, { csrfToken, until: now + SESSION_LASTS });
    const secure = origin.startsWith('https:') ? '; Secure' : '';
    return {
      'set-cookie': `${this.#cookieName}=${id}; Path=/; HttpOnly; SameSite=Strict${secure}`,
    };
  }

  /**
   * Lets in whoever has a session.
   * @returns what each of its `POST`s carries in `x-csrf-token`.
   * @throws WireProblem 401 for a stranger, who is told how to get in.
   */
  demand(c: Context): string {
    const session = this.#sessions.get(readCookie(c, this.#cookieName) ?? '');
    if (session === undefined || this.#options.clock.now() >= session.until) {
      throw controlProblem('invalid_token', 'Open the live view with a new link.');
    }
    return session.csrfToken;
  }

  /** @throws WireProblem 401 as {@link demand}, 403 for what another page sends, or no page. */
  demandOwn(c: Context): void {
    const csrfToken = this.demand(c);
    // Each browser names the origin of a `POST`.
    const isOurs = c.req.header('origin') === this.#options.origin;
    const sent = c.req.header('x-csrf-token') ?? '';
    if (!isOurs || !constantTimeEqual(sent, csrfToken)) {
      throw controlProblem('forbidden', 'Only a button of the live view may do this.');
    }
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.size > MOST ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
