/** Members of JSON, fields of forms, parameters of queries and headers whose values are secrets. */
const SECRETS: ReadonlySet<string> = new Set([
  'assertion',
  'authorization',
  'clientassertion',
  'codeverifier',
  'cookie',
  'credential',
  'credentials',
  'devicecode',
  'idjag',
  'idtokenhint',
  'identityassertion',
  'otp',
  'passcode',
  'proxyauthorization',
  'pwd',
  'session',
  'sessionid',
  'setcookie',
  'usercode',
]);

/** How the name of a secret ends, whoever it is of: `claim_token`, `newPassword`, `x-api-key`. */
const SECRET_ENDING =
  /(?:token|secret|password|passwd|passphrase|apikey|accesskey|secretkey|privatekey)$/;

/** Names of secrets in a query or a form alone: in JSON they are names of other things. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['code', 'key', 'sig', 'signature']);

/** Where a public key has none, a private one has these (RFC 7518 §6). */
const OF_A_PRIVATE_KEY = /^(?:d|k|p|q|dp|dq|qi|oth)$/;

/** The list of what a server takes is none of what it was given (RFC 8414 §2). */
const OF_METADATA = /_supported$/;

/** What says something of the secret that it lies beside: `{"source": "anonymous", "value": …}`. */
const OF_A_SECRET =
  /^(?:alg|algorithm|(?:expires|issued|created)(?:_?(?:at|in|on))?|header|kid|kind|name|scheme|scopes?|source|state|status|token_?type|type)$/i;

/** Longer names are compared by their ends. */
const LONGEST_NAME = 64;

/** Whether the value of a member of this name is a secret, whatever it holds. */
export function isSecretName(name: string): boolean {
  const known = plain(name);
  return SECRETS.has(known) || SECRET_ENDING.test(known);
}

/** The same of a parameter of a query or a form. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || SECRET_PARAMETERS.has(plain(name));
}

/** The same of a member of a JSON object. @param isKey whether the object is a key. */
export function isSecretMember(name: string, isKey: boolean): boolean {
  return isSecretName(name) || (isKey && OF_A_PRIVATE_KEY.test(name));
}

/** Whether a member is no secret wherever it lies. */
export function isPublicMember(name: string): boolean {
  return OF_METADATA.test(name) || OF_A_SECRET.test(name);
}

/** `user[clientSecret]`, `user.client_secret` and `X-Client-Secret` are one name. */
function plain(name: string): string {
  const end = name.slice(-LONGEST_NAME).trim();
  const last = /([^[\].]+)[[\].]*$/.exec(end)?.[1] ?? end;
  return last
    .toLowerCase()
    .replace(/^x[-_]/, '')
    .replace(/[-_]/g, '');
}
