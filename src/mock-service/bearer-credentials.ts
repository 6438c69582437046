import type { Context } from 'hono';
import type { Faults } from '../mock/index.ts';
import type { ServiceFault } from './faults/index.ts';

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** What a request brings along; `token` is missing when it is malformed. */
export interface BearerCredentials {
  readonly token: string | undefined;
}

/** By the Authorization field alone (RFC 6750 §2.1). Undefined when the request has none. */
export async function bearerCredentials(
  c: Context,
  faults: Faults<ServiceFault>,
): Promise<BearerCredentials | undefined> {
  const header = c.req.header('authorization');
  const elsewhere = header === undefined ? await tokenElsewhere(c, faults) : undefined;
  if (elsewhere !== undefined) return { token: elsewhere };
  if (header === undefined || !/^bearer(?: |$)/i.test(header)) return undefined;
  if (faults.has('schemeCaseCounts') && !header.startsWith('Bearer')) return { token: undefined };
  const field = faults.has('firstCredentialTaken') ? (header.split(', ')[0] ?? '') : header;
  return { token: BEARER.exec(field)?.[1] };
}

async function tokenElsewhere(
  c: Context,
  faults: Faults<ServiceFault>,
): Promise<string | undefined> {
  if (faults.has('queryTokensTaken')) return c.req.query('access_token');
  if (!faults.has('bodyTokensTaken') || c.req.method !== 'POST') return undefined;
  return new URLSearchParams(await c.req.raw.clone().text()).get('access_token') ?? undefined;
}
