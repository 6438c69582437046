import { MEMBERS_OF_THE_PROTOCOL } from '../../discovery/index.ts';
import { displayText, isJsonObject, MEDIA_TYPE } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { WireRequest } from '../http/peer.ts';

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

/** A request with those members in its JSON body or form; what the agent wrote itself stays. */
export function withMembers(request: WireRequest, members: OwnMembers = {}): WireRequest {
  const { body = '', headers } = request;
  const own = Object.entries(members);
  if (own.length === 0) return request;
  if (headers['content-type'] === MEDIA_TYPE.form) {
    const form = new URLSearchParams(body);
    for (const [name, value] of own) if (!form.has(name)) form.append(name, value);
    return { ...request, body: form.toString() };
  }
  const json: unknown = JSON.parse(body);
  return isJsonObject(json)
    ? { ...request, body: JSON.stringify({ ...members, ...json }) }
    : request;
}
