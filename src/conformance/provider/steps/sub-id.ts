import { isObject } from '../../http/answer.ts';

/** The members of each format of a subject identifier (RFC 9493 §3.2). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  account: ['uri'],
  email: ['email'],
  iss_sub: ['iss', 'sub'],
  opaque: ['id'],
  phone_number: ['phone_number'],
  did: ['url'],
  uri: ['uri'],
  aliases: ['identifiers'],
};

/** What is wrong with a `sub_id`, as a sentence; undefined when nothing is. */
export function subIdProblem(subId: unknown, issuer: string): string | undefined {
  if (!isObject(subId)) return 'It is not an object.';
  const { format } = subId;
  if (typeof format !== 'string') return 'It has no format.';
  const members = MEMBERS[format];
  // A registered format with unknown members.
  if (members === undefined) return undefined;
  const missing = members.filter((name) => subId[name] === undefined || subId[name] === '');
  if (missing.length > 0) return `Its format is ${format}, and it has no ${missing.join(', ')}.`;
  return format === 'iss_sub' && subId['iss'] !== issuer
    ? `Its iss is ${JSON.stringify(subId['iss'])}, not the provider's.`
    : undefined;
}
