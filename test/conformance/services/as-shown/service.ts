import type { Identities } from './identities.ts';
import type { Signer } from './signer.ts';

export interface Service {
  readonly base: string;
  readonly now: () => number;
  readonly signer: Signer;
  readonly identities: Identities;
  /** Value of the cookie → email. */
  readonly visitors: Map<string, string>;
}

export type Fields = Readonly<Record<string, string>>;

/** The members of a JSON object or of a form, as far as they are text; none of what is neither. */
export async function fieldsOf(request: Request): Promise<Fields> {
  const text = await request.text();
  if (!request.headers.get('content-type')?.toLowerCase().startsWith('application/json')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const members: unknown = JSON.parse(text);
    if (members === null || typeof members !== 'object' || Array.isArray(members)) return {};
    return Object.fromEntries(
      Object.entries(members).filter((entry): entry is [string, string] => {
        return typeof entry[1] === 'string';
      }),
    );
  } catch {
    return {};
  }
}

export function refused(error: string): Response {
  return Response.json({ error }, { status: 400 });
}
