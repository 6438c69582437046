import type { Service } from './service.ts';
import { refused } from './service.ts';

const REVOKED = 'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

/** Payload and answer are not shown: it takes what a trusted provider signed, and says 200. */
export async function answerEvent(
  { signer, identities }: Service,
  request: Request,
): Promise<Response> {
  const claims = await signer.readSigned((await request.text()).trim());
  const events = claims?.['events'];
  if (claims === undefined || events === null || typeof events !== 'object') {
    return refused('invalid_request');
  }
  const id = claims['sub_id'];
  const named = id !== null && typeof id === 'object' && 'sub' in id ? id.sub : claims['sub'];
  if (REVOKED in events && typeof named === 'string') {
    const subject = JSON.stringify([claims['iss'], named]);
    for (const identity of identities.ofSubject(subject)) identities.end(identity);
  }
  return new Response(null, { status: 200 });
}
