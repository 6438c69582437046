import { controlProblem } from '../../mock/controls/control-problem.ts';
import type { ControlRoute } from '../../mock/controls/control-routes.ts';
import {
  readControlBody,
  readOptionalText,
  readPathText,
} from '../../mock/controls/read-control.ts';
import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { SignInDecision } from '../config/sign-in-decision.ts';
import { type AskedConsent, CONSENT_DECISIONS } from '../store/consent-requests.ts';
import type { ProviderControls } from './provider-controls.ts';

/** `/__mock/sign-in` and `/__mock/consents`: what users decide at the provider, without its pages. */
export function decisionRoutes(controls: ProviderControls): readonly ControlRoute[] {
  return [
    { method: 'GET', path: '/sign-in', run: async () => ({ ...(await controls.signIn()) }) },
    {
      method: 'POST',
      path: '/sign-in',
      run: async (c) => ({
        ...(await controls.setSignIn(readSignIn(await readControlBody(c)))),
      }),
    },
    {
      method: 'GET',
      path: '/consents',
      run: async () => ({ requests: (await controls.consentRequests()).map(body) }),
    },
    ...CONSENT_DECISIONS.map(
      (decision): ControlRoute => ({
        method: 'POST',
        path: `/consents/:id/${decision}`,
        run: async (c) => body(await controls.decideConsent(readPathText(c, 'id'), decision)),
      }),
    ),
  ];
}

function readSignIn(body: JsonObject): SignInDecision {
  const { kind } = body;
  const email = readOptionalText(body, 'email');
  if (kind === 'approve' && email !== undefined) return { kind, email };
  if ((kind === 'ask' || kind === 'deny') && email === undefined) return { kind };
  throw controlProblem(
    'invalid_request',
    'kind must be ask or deny, or approve with the email of the user.',
  );
}

function body({
  audience,
  client,
  email,
  expiresAt,
  id,
  resource,
  scopes,
  state,
}: AskedConsent): JsonObject {
  return {
    id,
    email,
    audience,
    client: client ?? null,
    scopes: scopes ?? null,
    resource: resource ?? null,
    state,
    expires_at: instant(expiresAt),
  };
}
