import { serve } from '../../../mock-service/index.ts';
import { silentLog } from '../../../runtime/index.ts';
import { NeedsOption } from '../../engine/judge.ts';
import { Answer } from '../../http/answer.ts';
import type { ProviderUser } from '../sign-in.ts';
import type { Arrival, Stay } from './browser.ts';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost):\d+\//;

const DONE = 'The answer has arrived. This page can be closed.\n';

/** A browser that somebody else drives: by hand, or by a command. The suite listens where it is sent to. */
export class DrivenBrowser {
  /** Only what comes to this machine is seen of it. */
  readonly seesAll = false;
  readonly #user: ProviderUser;
  readonly #redirectUri: string;

  constructor(user: ProviderUser, redirectUri: string) {
    this.#user = user;
    this.#redirectUri = redirectUri;
  }

  /** @throws NeedsOption where it is sent to another machine. */
  async authorize(url: string, email: string): Promise<Arrival | Stay> {
    if (!LOOPBACK.test(this.#redirectUri)) {
      throw new NeedsOption(
        'With --user manual or command codes are sent to this machine: --redirect-uri http://127.0.0.1:4899/callback.',
        '--redirect-uri',
      );
    }
    const { origin, port } = new URL(this.#redirectUri);
    let arrived: URL | undefined;
    const server = await serve({
      host: '127.0.0.1',
      port: Number(port),
      log: silentLog,
      build: async () => async (request: Request) => {
        const { pathname, search, searchParams } = new URL(request.url);
        // No icon of the page.
        if (searchParams.size > 0) arrived ??= new URL(origin + pathname + search);
        return new Response(DONE);
      },
    });
    try {
      await this.#user.consent({ consentUri: url, email, decision: 'approve' });
    } finally {
      await server.close();
    }
    if (arrived !== undefined) {
      return { kind: 'arrived', url: arrived, exchange: undefined, wasAsked: true };
    }
    const answer = new Answer(0, [], 'Nothing came to the redirect URI.', 0, 0);
    return { kind: 'stayed', page: { url, answer, forms: [] } };
  }
}
