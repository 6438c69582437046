/**
 * The steps of the procedure, each with where it is written down: a section of the wire contract
 * (`docs/wire-contract.md`) and the standard behind it.
 */
export const STEPS = {
  call: 'wire contract §2.2, RFC 6750 §2.1',
  resource_metadata: 'wire contract §2.1, RFC 9728 §3',
  server_metadata: 'wire contract §2.1, RFC 8414 §3',
  skill: 'wire contract §11',
  register: 'wire contract §3.1',
  open_claim: 'wire contract §4',
  claim_page: 'wire contract §5.2',
  complete_claim: 'wire contract §5.3',
  exchange: 'wire contract §6.2, RFC 7523 §2.1',
  poll: 'wire contract §6.3, RFC 8628 §3.4',
  refresh: 'RFC 6749 §6',
  redeem: 'wire contract §6.1, ID-JAG §4.4',
  introspect: 'RFC 7662 §2',
  mcp: 'wire contract §2.2, MCP streamable HTTP',
  token: 'wire contract §6.1, RFC 6749 §3.2',
  revoke: 'wire contract §6.4, RFC 7009 §2',
  event: 'wire contract §7, RFC 8935 §2',
  keys: 'RFC 7517 §5',
  sign_in: 'wire contract §5.1',
  connections: 'wire contract §5.2',
  mails: 'wire contract §5',
  directory: 'wire contract §10',
  authorize: 'RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2',
  redeem_code: 'RFC 6749 §4.1.3, RFC 7636 §4.5',
  device_authorization: 'wire contract §9.1, RFC 8628 §3.1',
  device_page: 'wire contract §9.1, RFC 8628 §3.3',
  device_poll: 'wire contract §9.1, RFC 8628 §3.4',
  mint: 'wire contract §9.2, RFC 8693 §2',
  user_info: 'wire contract §9.1',
  consent: 'wire contract §9.3',
  client_document: 'wire contract §9.1',
  page: 'wire contract §5',
  other: '',
} as const satisfies Readonly<Record<string, string>>;

/** What an exchange is in the procedure; `other`: nothing that is known. */
export type Step = keyof typeof STEPS;

/** The steps that people take at a browser. */
const OF_A_USER: ReadonlySet<Step> = new Set([
  'claim_page',
  'sign_in',
  'connections',
  'mails',
  'authorize',
  'device_page',
  'consent',
  'page',
]);

export function isOfUser(step: Step): boolean {
  return OF_A_USER.has(step);
}
