/** Members by which agents name themselves: of RFC 7591 §2, and as services call them. A dot leads into an object. */
const USUAL = [
  'agent_name',
  'client_name',
  'name',
  'display_name',
  'agent_id',
  'client_id',
  'software_id',
  'software_version',
  'description',
  'agent_description',
  'agent_platform',
  'client_uri',
  'logo_uri',
  'agent_uri',
  'agent.name',
  'agent.description',
  'client.client_name',
  'metadata.name',
] as const;

const NAME = /^[\w$:@-]{1,64}(?:\.[\w$:@-]{1,64}){0,3}$/;

/** A member that a service reads a name from. @throws TypeError that says what is wrong with it. */
export function readNamingMember(text: string): string {
  // Into a prototype no member leads.
  if (NAME.test(text) && !text.split('.').includes('__proto__')) return text;
  throw new TypeError('Name one member, such as agent_name, or agent.name for one in an object.');
}

/** The usual ones, and those that the run names. */
export function namingMembers(own: readonly string[]): readonly string[] {
  return [...new Set([...own, ...USUAL])];
}

/** A body in which each of these members holds the same text. Where one is in another, it alone is sent. */
export function naming(
  members: readonly string[],
  text: string,
): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const member of members) {
    const names = member.split('.');
    const last = names.pop() ?? member;
    let place = body;
    for (const name of names) {
      const inner = place[name];
      const next = typeof inner === 'object' && inner !== null ? { ...inner } : {};
      place[name] = next;
      place = next as Record<string, unknown>;
    }
    place[last] = text;
  }
  return body;
}
