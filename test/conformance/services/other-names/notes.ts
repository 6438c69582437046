import { json } from '../support.ts';
import type { Desk } from './desk.ts';
import { resourceMetadataUrl } from './metadata.ts';

/** The protected resource: /v1/notes. */
export async function notes(desk: Desk, request: Request, scope: string): Promise<Response> {
  const header = request.headers.get('authorization');
  const credential = /^bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1];
  if (credential === undefined) return challenge(desk, 401);
  const access = await desk.mint.openAccess(credential);
  if (access === undefined) return challenge(desk, 401, { error: 'invalid_token' });
  if (!access.scopes.includes(scope)) {
    return challenge(desk, 403, { error: 'insufficient_scope', scope });
  }
  return json(200, { notes: [], reader: access.agent.id });
}

/** RFC 6750 §3 with the parameter of RFC 9728 §5.1. */
function challenge(
  desk: Desk,
  status: number,
  parameters: Readonly<Record<string, string>> = {},
): Response {
  const all = { ...parameters, resource_metadata: resourceMetadataUrl(desk) };
  const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return new Response(null, {
    status,
    headers: { 'Cache-Control': 'no-store', 'WWW-Authenticate': `Bearer ${text.join(', ')}` },
  });
}
