import { MEMBERS_OF_THE_PROTOCOL } from '../../../discovery/index.ts';
import { displayText, isJsonObject, MEDIA_TYPE } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import type { WireRequest } from '../../http/peer.ts';
import type { Dialect } from '../dialect.ts';

/** Members that a service demands of its own, such as a fixed `client_id`, by the user's word. */
export type OwnMembers = Readonly<Record<string, string>>;

/** @throws AgentError `bad_member`. */
export function requireOwnMembers(members: OwnMembers): OwnMembers {
  for (const [name, value] of Object.entries(members)) {
    const isName = /^[A-Za-z_][\w.-]{0,63}$/.test(name) && name !== '__proto__';
    if (!isName || value === '') {
      throw new AgentError(
        `The member '${displayText(name, 64)}' has no usable name or no value.`,
        {
          code: 'bad_member',
          hint: 'Give each as NAME=VALUE, with a name of letters, digits and underscores.',
        },
      );
    }
    if (MEMBERS_OF_THE_PROTOCOL.has(name)) {
      throw new AgentError(`The member ${name} is written by the agent.`, {
        code: 'bad_member',
        hint: 'Leave it out.',
      });
    }
  }
  return members;
}

/** The same dialect with those members in every JSON body and every form; what it writes itself stays. */
export function withOwnMembers(dialect: Dialect, members: OwnMembers = {}): Dialect {
  if (Object.keys(members).length === 0) return dialect;
  const add = <T extends WireRequest>(request: T) => addMembers(request, members);
  const both = <T extends WireRequest>([one, other]: readonly [T, T?]): readonly [T, T?] =>
    other === undefined ? [add(one)] : [add(one), add(other)];
  const { encodeClaimPoll, encodeCode, encodeRefresh } = dialect;
  return {
    ...dialect,
    encodeIdentity: (...given) => add(dialect.encodeIdentity(...given)),
    encodeClaimStart: (...given) => both(dialect.encodeClaimStart(...given)),
    ...(encodeClaimPoll && { encodeClaimPoll: (...given) => add(encodeClaimPoll(...given)) }),
    ...(encodeCode && { encodeCode: (...given) => both(encodeCode(...given)) }),
    encodeExchange: (...given) => add(dialect.encodeExchange(...given)),
    ...(encodeRefresh && { encodeRefresh: (...given) => add(encodeRefresh(...given)) }),
    encodeRevoke: (...given) => add(dialect.encodeRevoke(...given)),
  };
}

/** A request with more members; those that it has keep their values. */
export function addMembers<T extends WireRequest>(
  request: T,
  members: Readonly<Record<string, unknown>>,
): T {
  const { body = '', headers } = request;
  if (headers['content-type'] === MEDIA_TYPE.form) {
    const form = new URLSearchParams(body);
    for (const [name, value] of Object.entries(members)) {
      if (!form.has(name)) form.append(name, String(value));
    }
    return { ...request, body: form.toString() };
  }
  const json: unknown = JSON.parse(body);
  return isJsonObject(json)
    ? { ...request, body: JSON.stringify({ ...members, ...json }) }
    : request;
}
