import { type Request, type Response, Router } from 'express';
import type { App } from '../express-defaults.ts';
import { isAimedAt, Problem, readEmail, readIdJag } from '../support.ts';
import type { Registration } from './accounts.ts';

export function identityRouter(app: App): Router {
  const { accounts, tokens } = app;
  const isAnonymousAlone = app.bug === 'anonymous-alone';
  const router = Router();

  router.post('/agent/identity', async (request: Request, response: Response) => {
    response.set('Cache-Control', 'no-store').set('Pragma', 'no-cache');
    // Without a body that was parsed this throws, and Express answers 500.
    const { type, assertion, login_hint: hint } = request.body;
    if (type === 'anonymous') {
      const registration = accounts.add({ claimable: !isAnonymousAlone });
      response.json({
        identity_assertion: await tokens.sign(registration),
        claim_token: registration.claimToken,
      });
    } else if (isAnonymousAlone) {
      invalid(response, 'This service registers anonymous agents alone.');
    } else if (type === 'service_auth') {
      const email = readEmail(hint);
      if (email === undefined) return invalid(response, 'login_hint is not an email.');
      const registration = accounts.add({ claimable: true, email });
      response.json({ claim_token: registration.claimToken, claim: attempt(registration, email) });
    } else if (type === 'identity_assertion') {
      await byIdJag(assertion, response);
    } else {
      invalid(response, 'The type is not known.');
    }
  });

  router.post('/agent/identity/claim', (request: Request, response: Response) => {
    response.set('Cache-Control', 'no-store').set('Pragma', 'no-cache');
    const { claim_token: token, email: given } = request.body;
    const registration = typeof token === 'string' ? accounts.withClaimToken(token) : undefined;
    const email = readEmail(given);
    if (registration === undefined) return invalid(response, 'The claim token is not known.');
    if (email === undefined) return invalid(response, 'email is missing.');
    // A registration by email belongs to that email.
    if (registration.email !== undefined && registration.email !== email) {
      return invalid(response, 'The registration is for another email.');
    }
    const opened = attempt(registration, email);
    if (opened === undefined) return invalid(response, 'No attempt can be opened.');
    response.json({ claim_attempt: opened });
  });

  return router;

  async function byIdJag(assertion: unknown, response: Response): Promise<void> {
    try {
      const idJag = await readIdJag(assertion, app.keys, app.now());
      const { iss, sub, jti, iat, exp, aud, email } = idJag;
      if (!isAimedAt(aud, app.base)) throw new Problem(400, 'invalid_grant', 'Another audience.');
      if (!accounts.use(`jag ${iss} ${jti}`, (exp + 60) * 1000)) {
        throw new Problem(400, 'invalid_grant', 'It was used before.');
      }
      const subject = JSON.stringify([iss, sub]);
      if (accounts.isEnded(subject, iat)) throw new Problem(400, 'invalid_grant', 'It is revoked.');
      // The account of that email, whether it is new or not: the provider has verified it.
      const [known] = accounts.withSubject(subject);
      const registration =
        known ?? accounts.add({ claimable: false, subject, email, issuedAt: iat });
      response.json({ identity_assertion: await tokens.sign(registration) });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const { status, code, message, headers } = problem;
      response.status(status).set(headers).json({ error: code, error_description: message });
    }
  }

  function attempt(registration: Registration, email: string): object | undefined {
    const opened = accounts.openAttempt(registration, email);
    return (
      opened && {
        user_code: opened.code,
        verification_uri: `${app.base}/claim?attempt=${opened.token}`,
        expires_in: 600,
        interval: 5,
      }
    );
  }
}

function invalid(response: Response, description: string): void {
  response.status(400).json({ error: 'invalid_request', error_description: description });
}
