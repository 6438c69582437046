import { isJsonObject, isJwtType, JWT_TYPE } from '../../protocol/index.ts';
import { type Exchange, type ExchangeNote, REDEMPTION_REFUSED } from '../exchange.ts';

/**
 * Why an ID-JAG was refused, as far as the wire shows it: a server of others notes nothing.
 * @param issuer of the server, where its metadata was seen.
 * @param isSpent whether it was redeemed before.
 */
export function visibleRefusal(
  { at, request, response }: Exchange,
  issuer: string | undefined,
  isSpent: boolean,
): ExchangeNote | undefined {
  const body = isJsonObject(request.body) ? request.body : {};
  const { assertion, client_id: client } = body;
  if (!isJsonObject(assertion)) return undefined;
  const { header, claims } = assertion;
  if (!isJsonObject(header) || !isJsonObject(claims)) return undefined;
  const { aud, client_id: named, exp, iat, jti } = claims;
  const { typ } = header;
  // The clock of the server counts, as far as it tells it.
  const now = Math.floor((Date.parse(response.headers['date'] ?? '') || at) / 1_000);
  const audiences = [aud].flat();
  const isForIt = audiences.length === 1 && audiences[0] === issuer;
  const wrong: readonly (readonly [
    isWrong: boolean,
    claim: string,
    seen: unknown,
    expected: string,
  ])[] = [
    [!isJwtType(typ, JWT_TYPE.idJag), 'typ', typ, JWT_TYPE.idJag],
    [issuer !== undefined && !isForIt, 'aud', aud, `${issuer} alone`],
    [client !== undefined && client !== named, 'client_id', named, `${client}, who sends it`],
    [!(Number(exp) > now), 'exp', exp, `later than ${now}, which it is now`],
    [!(Number(iat) <= now), 'iat', iat, `not later than ${now}, which it is now`],
    [isSpent, 'jti', jti, 'one that was not redeemed before'],
  ];
  const [, claim, seen, expected] = wrong.find(([isWrong]) => isWrong) ?? [];
  if (claim === undefined) return undefined;
  return { event: REDEMPTION_REFUSED, fields: { claim, expected, seen: JSON.stringify(seen) } };
}
