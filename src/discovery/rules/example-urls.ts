/** What the examples of the rules are made of. */
export const ISSUER = 'https://api.example.com';
export const TOKEN = `${ISSUER}/oauth2/token`;
export const IDENTITY = `${ISSUER}/agent/identity`;
export const CLAIM = `${IDENTITY}/claim`;
export const SKILL = `${ISSUER}/auth.md`;
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const CLAIM_GRANT = 'urn:example:agent-auth:grant-type:claim';
