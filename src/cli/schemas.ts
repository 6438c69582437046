/**
 * The name and version of every JSON object that the program prints. A member may be added to an
 * object without a new version; one that goes away or changes its meaning needs one.
 */
export const SCHEMAS = {
  error: 'agent-auth.error/1',
  skill: 'agent-auth.skill/1',
  doctor: 'agent-auth.doctor/1',
  completion: 'agent-auth.completion/1',
  connect: 'agent-auth.connect/1',
  discover: 'agent-auth.discover/1',
  register: 'agent-auth.register/1',
  claim: 'agent-auth.claim/1',
  token: 'agent-auth.token/1',
  call: 'agent-auth.call/1',
  services: 'agent-auth.services/1',
  status: 'agent-auth.status/1',
  revoke: 'agent-auth.revoke/1',
  forget: 'agent-auth.forget/1',
  providerLogin: 'agent-auth.provider-login/1',
  providerConsent: 'agent-auth.provider-consent/1',
  providerMint: 'agent-auth.provider-mint/1',
  providerRevoke: 'agent-auth.provider-revoke/1',
  mockReady: 'agent-auth.mock-ready/1',
  mockEvent: 'agent-auth.mock-event/1',
  mockState: 'agent-auth.mock-state/1',
  mockList: 'agent-auth.mock-list/1',
  mockRegistration: 'agent-auth.mock-registration/1',
  mockTrust: 'agent-auth.mock-trust/1',
  mockRotate: 'agent-auth.mock-rotate/1',
  mockOutbox: 'agent-auth.mock-outbox/1',
  mockAudit: 'agent-auth.mock-audit/1',
  demoExchange: 'agent-auth.demo-exchange/1',
  demoSummary: 'agent-auth.demo-summary/1',
  conformance: 'agent-auth.conformance/1',
  conformanceList: 'agent-auth.conformance-list/1',
  version: 'agent-auth.version/1',
  options: 'agent-auth.options/1',
  exitCodes: 'agent-auth.exit-codes/1',
  environment: 'agent-auth.environment/1',
  debug: 'agent-auth.debug/1',
} as const;

export type SchemaName = keyof typeof SCHEMAS;
