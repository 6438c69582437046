import { invalidRequest } from '../../../mock/http/response.ts';
import { on, type Tamper, withJson, withStatus } from '../../../mock/http/tamper.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { PATHS } from '../../config/paths.ts';
import type { ServiceDialect } from '../dialect.ts';

/** A dialect with something in it done otherwise. */
export type Change = (right: ServiceDialect) => ServiceDialect;

type Members = Readonly<Record<string, unknown>>;

/** What leaves is changed once more. */
export function saying(change: Tamper): Change {
  return (right) => ({
    ...right,
    says: async (response, request) =>
      change(right.says === undefined ? response : await right.says(response, request), request),
  });
}

/** What makes something, a registration or a claim attempt, is answered with this status. */
export function makingWith(status: number): Change {
  const isMaking = (path: string, response: Response) =>
    (path === PATHS.identity || path === PATHS.claim) && response.status === 200;
  return saying(on(isMaking, withStatus(status)));
}

/** The instants of published services: `claim_token_expires`, `expires_at`, `credential_expires`. */
const INSTANT = /(?:^|_)expires(?:_at)?$/;

/** Instants are spelled so. */
export function instantsAs(spell: (instant: number) => unknown): Change {
  const respell = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((each) => respell(each));
    if (isJsonObject(value)) {
      const members = Object.entries(value).map(([key, each]) => [key, respell(each, key)]);
      return Object.fromEntries(members);
    }
    return typeof value === 'string' && INSTANT.test(name) ? spell(Date.parse(value)) : value;
  };
  return saying(withJson((body) => respell(body)));
}

/** Errors are spelled so, whatever their dialect calls the code and the text. */
export function errorsAs(spell: (code: unknown, text: unknown) => Members): Change {
  const respell = withJson((body) => {
    const { description, err, error, error_description: text, message, ...others } = body;
    return { ...spell(error ?? err, text ?? message ?? description), ...others };
  });
  return saying((response, request) =>
    response.status >= 400 ? respell(response, request) : response,
  );
}

/** A registration without this member is refused with a sentence that names it. */
export function registeringWith(member: string): Change {
  return (right) => ({
    ...right,
    registration: {
      ...right.registration,
      read: (members: JsonObject, rules) => {
        const given = members[member];
        if (typeof given === 'string' && given !== '') {
          return right.registration.read(members, rules);
        }
        throw invalidRequest('identity', `${member} is missing.`);
      },
    },
  });
}

/** A claim is started with exactly these members; any other body is refused, as a strict schema does. */
export function startingWith(names: readonly string[], wantedType?: string): Change {
  return (right) => ({
    ...right,
    claim: {
      ...right.claim,
      read: (members, rules) => {
        const { type, ...rest } = members;
        const given = Object.keys(members);
        const missing = names.find((name) => !given.includes(name));
        const extra = given.find((name) => !names.includes(name));
        let wrong = wantedType === undefined || type === wantedType ? '' : 'type is not supported';
        if (extra !== undefined) wrong = `The member ${extra.slice(0, 64)} is unknown`;
        if (missing !== undefined) wrong = `The member ${missing} is missing`;
        if (wrong === '') return right.claim.read(rest, rules);
        throw invalidRequest('claim', `${wrong}.`);
      },
    },
  });
}
