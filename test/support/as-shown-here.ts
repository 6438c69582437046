import { decodeJwt } from 'jose';
import { asShown } from '../conformance/services/as-shown.ts';
import { dispatch } from '../conformance/services/support/listen.ts';

/**
 * The service that sends what the specification shows, and no more, without a port: its `fetch` answers. It takes
 * every ID-JAG.
 */
export class AsShownHere {
  readonly fetch: (request: Request) => Promise<Response>;
  /** `POST /oauth2/token`, by what they answered. */
  readonly answered: string[] = [];
  registrations = 0;
  readonly #base: string;

  private constructor(base: string, answer: (request: Request) => Promise<Response>) {
    this.#base = base;
    this.fetch = async (request) => {
      const answered = await answer(request);
      const { pathname } = new URL(request.url);
      if (pathname === '/agent/identity' && answered.ok) this.registrations += 1;
      if (pathname === '/oauth2/token') {
        const { error = 'token' } = (await answered.clone().json()) as { error?: string };
        this.answered.push(error);
      }
      return answered;
    };
  }

  static async start(base: string, now: () => number): Promise<AsShownHere> {
    const { service, routes } = await asShown(base, { now });
    service.signer.readSigned = async (text) => decodeJwt(text);
    return new AsShownHere(base, (request) => dispatch(routes, request));
  }

  /** What the user does on the claim page. */
  async claim(page: string, userCode: string, email = 'alice@example.com'): Promise<void> {
    const attempt = new URL(page).searchParams.get('claim_attempt_token') ?? '';
    const signedIn = await this.#submit('/sign-in', { claim_attempt_token: attempt, email });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const members = { claim_attempt_token: attempt, user_code: userCode };
    await this.#submit('/agent/identity/claim/complete', members, cookie);
  }

  #submit(path: string, members: Record<string, string>, cookie = ''): Promise<Response> {
    const body = new URLSearchParams(members);
    const headers = { cookie };
    return this.fetch(new Request(this.#base + path, { method: 'POST', headers, body }));
  }
}
